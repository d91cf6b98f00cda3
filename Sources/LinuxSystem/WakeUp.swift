// nearby-bridge · SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc

/// Wakes a thread that sleeps in a `Poller`.
public final class WakeUp: Sendable {
    /// Readable from a `signal()` until the next `drain()`.
    public let descriptor: Int32

    /// Opens an eventfd; throws if no descriptor is free.
    public init() throws(SystemError) {
        descriptor = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
        guard descriptor >= 0 else { throw SystemError(operation: "create a wake-up descriptor") }
    }

    deinit { _ = close(descriptor) }

    /// Makes the descriptor readable; from any thread, never blocks, several signals count as one.
    public func signal() {
        // Fails only when the counter is full, and then the reader is due to wake anyway.
        _ = eventfd_write(descriptor, 1)
    }

    /// Makes the descriptor unreadable again, and tells whether anybody had signalled.
    @discardableResult
    public func drain() -> Bool {
        var count: eventfd_t = 0
        return unsafe eventfd_read(descriptor, &count) == 0
    }
}
