// nearby-bridge · SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc

/// A program started by this process, which never outlives it: not even after SIGKILL.
///
/// It starts with no signal blocked or ignored and with no descriptor of ours beyond the standard ones. When the
/// object goes away the program is killed. All calls from any thread.
public final class ChildProcess: Sendable {
    /// Where a standard stream of the program goes.
    public enum Destination: Sendable, Equatable {
        /// Where ours goes.
        case inherited
        /// Nowhere.
        case null
        /// Into an open descriptor, which stays ours to close.
        case descriptor(Int32)
    }

    /// How the program ended.
    public enum Ending: Sendable, Equatable {
        /// It returned this status; 0 is success.
        case exited(status: Int32)
        /// This signal ended it.
        case signalled(number: Int32)
    }

    /// The operating system's number of the process.
    public let identifier: Int32
    private let ending = Locked<Ending?>(nil)

    /// Starts `arguments[0]`, looked up in PATH, with the other arguments.
    ///
    /// `environment` has lines `NAME=value`; `nil` hands ours on. Throws if the program cannot be started.
    public init(
        _ arguments: [String],
        environment: [String]? = nil,
        output: Destination = .inherited,
        error: Destination = .inherited
    ) throws(SystemError) {
        let operation = "start \(arguments.first ?? "an empty command")"
        let null = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
        guard null >= 0 else { throw SystemError(operation: "open /dev/null") }
        defer { _ = close(null) }
        let outputDescriptor = output.descriptor(null: null)
        let errorDescriptor = error.descriptor(null: null)
        // The kernel ties the death signal to the thread that forks, so one that never ends has to do it.
        let result = try SpawnThread.shared.run {
            Self.spawn(arguments, environment, output: outputDescriptor, error: errorDescriptor)
        }
        guard result > 0 else { throw SystemError(operation: operation, code: -result) }
        identifier = result
    }

    deinit {
        kill()
        wait()
    }

    /// Asks the program to end (SIGTERM).
    public func terminate() { send(SIGTERM) }

    /// Ends the program without asking (SIGKILL).
    public func kill() { send(SIGKILL) }

    /// Sends a signal by number; nothing happens once the program has ended.
    public func send(_ signal: Int32) {
        ending.withLock { ending in
            // Only while it is not reaped does the number surely mean our child.
            if ending == nil { _ = Glibc.kill(identifier, signal) }
        }
    }

    /// Waits until the program has ended.
    @discardableResult
    public func wait() -> Ending {
        while true {
            if let ending = waitNoHang() { return ending }
            var information = unsafe siginfo_t()
            // Sleep without the lock and without reaping: `kill` must get through meanwhile.
            _ = unsafe waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT)
        }
    }

    /// How the program ended, or `nil` while it runs.
    public func waitNoHang() -> Ending? {
        ending.withLock { ending in
            if let ending { return ending }
            var status: Int32 = 0
            let result = unsafe waitpid(identifier, &status, WNOHANG)
            if result == identifier {
                let signal = status & 0x7F
                ending = signal == 0 ? .exited(status: (status >> 8) & 0xFF) : .signalled(number: signal)
            } else if result < 0, errno == ECHILD {
                // Somebody else reaped it; what it said is lost.
                ending = .exited(status: 127)
            }
            return ending
        }
    }

    private static func spawn(_ arguments: [String], _ environment: [String]?, output: Int32, error: Int32) -> Int32 {
        guard let file = arguments.first else { return -ENOENT }
        return unsafe withCStrings(arguments) { argumentPointers in
            guard let environment else {
                return unsafe nb_spawn(file, argumentPointers, nil, output, error)
            }
            return unsafe withCStrings(environment) { environmentPointers in
                unsafe nb_spawn(file, argumentPointers, environmentPointers, output, error)
            }
        }
    }
}

extension ChildProcess.Destination {
    fileprivate func descriptor(null: Int32) -> Int32 {
        switch self {
        case .inherited: -1
        case .null: null
        case .descriptor(let descriptor): descriptor
        }
    }
}

/// Lends `strings` as a C array with a closing null pointer.
private func withCStrings<Result>(
    _ strings: [String],
    _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
    var pointers = unsafe strings.map { unsafe strdup($0) } + [nil]
    defer { unsafe pointers.forEach { pointer in unsafe free(pointer) } }
    return unsafe body(&pointers)
}
