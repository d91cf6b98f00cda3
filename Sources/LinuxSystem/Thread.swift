// nearby-bridge · SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc

/// A thread of the operating system.
public final class Thread: Sendable {
    private final class Start {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    private let identifier: pthread_t
    private let isFinished = Locked(false)

    /// Starts a thread that runs `body` once.
    ///
    /// The name shows in `top` and debuggers, cut to 15 bytes. The stack has 1 MiB unless said otherwise.
    /// Throws when the system has no room for another thread.
    public init(
        name: String,
        stackBytes: Int = 1 << 20,
        body: @escaping @Sendable () -> Void
    ) throws(SystemError) {
        var attributes = pthread_attr_t()
        _ = unsafe pthread_attr_init(&attributes)
        defer { _ = unsafe pthread_attr_destroy(&attributes) }
        _ = unsafe pthread_attr_setstacksize(&attributes, stackBytes)
        let start = unsafe Unmanaged.passRetained(Start(name: name, body: body))
        var identifier = pthread_t()
        let code = unsafe pthread_create(&identifier, &attributes, runThread, start.toOpaque())
        guard code == 0 else {
            unsafe start.release()
            throw SystemError(operation: "start thread \(name)", code: code)
        }
        self.identifier = identifier
    }

    deinit {
        // A thread nobody waits for cleans up after itself.
        if !isFinished.withLock({ $0 }) { pthread_detach(identifier) }
    }

    /// Waits until the body has returned; a second call returns at once.
    ///
    /// Not to be called from the thread itself.
    public func join() {
        let isFirst = isFinished.withLock { finished in
            defer { finished = true }
            return !finished
        }
        if isFirst { pthread_join(identifier, nil) }
    }

    fileprivate static func run(_ context: UnsafeMutableRawPointer) {
        let start = unsafe Unmanaged<Start>.fromOpaque(context).takeRetainedValue()
        let name = String(start.name.utf8.prefix(15)) ?? "thread"
        unsafe nb_name_thread(name)
        start.body()
    }
}

private func runThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context = unsafe context { unsafe Thread.run(context) }
    return nil
}
