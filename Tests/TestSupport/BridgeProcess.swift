// nearby-bridge · SPDX-License-Identifier: Apache-2.0

internal import Glibc
public import LinuxSystem

/// The real program `nearby-bridge` as a process of its own; killed with the object.
public final class BridgeProcess: Sendable {
    /// Why the program cannot be run.
    public struct Failure: Error, CustomStringConvertible {
        /// What went wrong.
        public let description: String
    }

    private let directory: TemporaryDirectory
    private let child: ChildProcess

    /// Starts the program with these arguments; its two streams go into files.
    ///
    /// `environment` has lines `NAME=value`; `nil` hands ours on. What it keeps by default goes into a folder of its own.
    public init(_ arguments: [String], environment: [String]? = nil) throws {
        directory = try TemporaryDirectory()
        let output = try Self.create(directory.file("output"))
        defer { _ = close(output) }
        let error = try Self.create(directory.file("error"))
        defer { _ = close(error) }
        child = try ChildProcess(
            [Self.program()] + arguments,
            environment: (environment ?? Self.environment) + ["STATE_DIRECTORY=\(directory.path)"],
            output: .descriptor(output),
            error: .descriptor(error)
        )
    }

    /// Ours, as lines `NAME=value`.
    public static var environment: [String] {
        let bytes = (try? TextFile.read("/proc/self/environ", maximumBytes: 1 << 20)) ?? []
        return bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }

    /// What it printed for its user so far.
    public var output: String { directory.text(of: "output") }
    /// What it said on standard error so far: its log.
    public var log: String { directory.text(of: "error") }
    /// The lines of its log so far.
    public var logLines: [String] { log.split(whereSeparator: \.isNewline).map(String.init) }
    /// The operating system's number of the process.
    public var identifier: Int32 { child.identifier }
    /// How it ended, or `nil` while it runs.
    public var ending: ChildProcess.Ending? { child.waitNoHang() }
    /// Whether it runs, be it stopped.
    public var isRunning: Bool { ending == nil }

    /// Waits until it has ended by itself; `nil` if it does not within `timeout`.
    public func wait(_ timeout: Duration = .seconds(60)) -> ChildProcess.Ending? {
        _ = Waiting.until(timeout) { !isRunning }
        return ending
    }

    /// Asks it to stop (SIGTERM) and waits for its end.
    @discardableResult
    public func stop() -> ChildProcess.Ending? {
        child.terminate()
        return wait()
    }

    /// Does what Ctrl-C at a terminal does (SIGINT to its whole process group) and waits for its end.
    @discardableResult
    public func interrupt() -> ChildProcess.Ending? {
        if isRunning { _ = Glibc.kill(-identifier, SIGINT) }
        return wait()
    }

    /// Ends it without asking (SIGKILL) and waits for its end.
    public func kill() {
        child.kill()
        child.wait()
    }

    /// Asks it to read its configuration again (SIGHUP).
    public func reload() { child.send(SIGHUP) }

    /// Makes it stand still; `false` lets it go on.
    public func freeze(_ isFrozen: Bool) { child.send(isFrozen ? SIGSTOP : SIGCONT) }

    /// Lets no file that it writes grow beyond so many bytes.
    ///
    /// `nil` lifts that. Writing more fails, as on a full disk.
    ///
    /// Its log is such a file too.
    public func limitFiles(to bytes: Int?) throws {
        // Only the soft limit: it can be lifted again.
        let limit = bytes.map { "\($0)" } ?? "unlimited"
        let ending = try ChildProcess(["prlimit", "--pid", "\(identifier)", "--fsize=\(limit):"]).wait()
        guard ending == .exited(status: 0) else { throw Failure(description: "prlimit failed: \(ending)") }
    }

    /// Memory it occupies now, in kibibytes; `nil` once it has ended.
    public var residentKibibytes: Int? {
        guard let bytes = try? TextFile.read("/proc/\(identifier)/status", maximumBytes: 1 << 16) else { return nil }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        let line = lines.first { $0.hasPrefix("VmRSS:") }
        return line.flatMap { $0.split(separator: " ").dropFirst().first }.flatMap { Int($0) }
    }

    /// How many descriptors it has open now; `nil` once it has ended.
    public var descriptors: Int? { Self.entries(of: "/proc/\(identifier)/fd")?.count }

    /// The numbers of the processes it has started and that still run.
    public var children: [Int32] {
        (Self.entries(of: "/proc") ?? []).compactMap { Int32($0) }.filter { Self.parent(of: $0) == identifier }
    }

    /// Whether a process of this number runs (a zombie does not).
    public static func isRunning(_ process: Int32) -> Bool {
        guard let fields = status(of: process) else { return false }
        return fields.first.map { $0 != "Z" && $0 != "X" } ?? false
    }

    private static func parent(of process: Int32) -> Int32? {
        guard let fields = status(of: process), fields.count > 1 else { return nil }
        return Int32(fields[1])
    }

    /// The fields of `/proc/…/stat` behind the name, which may hold anything.
    private static func status(of process: Int32) -> [Substring]? {
        guard let bytes = try? TextFile.read("/proc/\(process)/stat", maximumBytes: 1 << 16) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        return text.split(separator: ")").last?.split(separator: " ")
    }

    private static func entries(of path: String) -> [String]? {
        guard let stream = unsafe opendir(path) else { return nil }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { field in
                unsafe String(cString: UnsafeRawPointer(field).assumingMemoryBound(to: CChar.self))
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }

    private static func create(_ path: String) throws(SystemError) -> Int32 {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemError(operation: "create \(path)") }
        return descriptor
    }

    /// The program that was built together with the running tests: it lies beside them.
    public static func program() throws -> String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let length = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
        let executable = String(decoding: buffer.prefix(max(0, length)).map(UInt8.init(bitPattern:)), as: UTF8.self)
        for place in [executable] + CommandLine.arguments {
            guard let slash = place.lastIndex(of: "/") else { continue }
            let program = place[..<slash] + "/nearby-bridge"
            if unsafe access(String(program), X_OK) == 0 { return String(program) }
        }
        throw Failure(description: "nearby-bridge is not beside \(executable); build it first: swift build")
    }
}
