// nearby-bridge · SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc

/// The signals of a service as a descriptor.
///
/// Make it before any thread is started: threads inherit the blocked set, and one that does not would die instead.
/// SIGPIPE and SIGXFSZ are ignored from then on. The signals stay blocked when the object is gone.
public final class Signals: Sendable {
    /// A signal the service understands.
    public enum Signal: Sendable, Equatable {
        /// SIGTERM: stop in order.
        case terminate
        /// SIGINT: the user pressed Ctrl-C.
        case interrupt
        /// SIGHUP: read the configuration again.
        case hangUp
    }

    /// Readable while a signal waits.
    public let descriptor: Int32

    /// Blocks the three signals for this thread and those it starts; throws if no descriptor is free.
    public init() throws(SystemError) {
        Self.ignoreBrokenPipe()
        // A file that may not grow any more is an error (EFBIG) to whoever writes it, not the end of the service.
        _ = signal(SIGXFSZ, SIG_IGN)
        var set = sigset_t()
        unsafe sigemptyset(&set)
        for number in [SIGTERM, SIGINT, SIGHUP] { unsafe sigaddset(&set, number) }
        let code = unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
        guard code == 0 else { throw SystemError(operation: "block signals", code: code) }
        descriptor = unsafe signalfd(-1, &set, Int32(SFD_NONBLOCK | SFD_CLOEXEC))
        guard descriptor >= 0 else { throw SystemError(operation: "create a signal descriptor") }
    }

    deinit { _ = close(descriptor) }

    /// Takes the next waiting signal, `nil` when none waits; never blocks.
    public func next() -> Signal? {
        var information = signalfd_siginfo()
        let size = MemoryLayout<signalfd_siginfo>.size
        guard unsafe read(descriptor, &information, size) == size else { return nil }
        switch Int32(bitPattern: information.ssi_signo) {
        case SIGTERM: return .terminate
        case SIGINT: return .interrupt
        case SIGHUP: return .hangUp
        default: return nil
        }
    }

    /// Makes writing to a closed pipe or socket an error (EPIPE) instead of the end of the process.
    public static func ignoreBrokenPipe() {
        _ = signal(SIGPIPE, SIG_IGN)
    }
}
