// nearby-bridge · SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc

/// Waits for a small set of descriptors with `poll`, so that descriptors above 1,023 work.
///
/// Slots are added once and then changed; waiting does not allocate. Belongs to one thread.
public struct Poller: ~Copyable {
    /// What to wait for and what came.
    public struct Readiness: OptionSet, Sendable, Hashable {
        /// The raw bits.
        public let rawValue: UInt8
        /// Makes a set from raw bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Bytes, or the end of the stream, can be read.
        public static let readable = Readiness(rawValue: 1)
        /// Bytes can be written.
        public static let writable = Readiness(rawValue: 2)
        /// The other side is gone for good; reported whether asked for or not.
        public static let hangUp = Readiness(rawValue: 4)
        /// The descriptor failed or is not open; reported whether asked for or not.
        public static let error = Readiness(rawValue: 8)
    }

    /// A place in the set.
    public struct Slot: Sendable, Hashable {
        fileprivate let index: Int
    }

    private var entries: [pollfd] = []

    /// Makes an empty set.
    public init() {}

    /// Adds a descriptor; a negative one keeps the slot for later use.
    public mutating func add(_ descriptor: Int32 = -1, for interest: Readiness = .readable) -> Slot {
        entries.append(pollfd(fd: descriptor, events: Self.events(interest), revents: 0))
        return Slot(index: entries.count - 1)
    }

    /// Changes what a slot waits for; a negative descriptor switches it off.
    public mutating func set(_ slot: Slot, to descriptor: Int32, for interest: Readiness = .readable) {
        entries[slot.index] = pollfd(fd: descriptor, events: Self.events(interest), revents: 0)
    }

    /// Waits until a descriptor is ready or the time is over, and returns how many are ready.
    ///
    /// `nil` waits without limit; zero or less only looks. An interrupting signal does not end the wait.
    @discardableResult
    public mutating func wait(timeout: Duration?) throws(SystemError) -> Int {
        try wait(nanoseconds: timeout.map(Self.nanoseconds))
    }

    /// The same with a time limit in nanoseconds.
    @discardableResult
    public mutating func wait(nanoseconds: Int64?) throws(SystemError) -> Int {
        guard let nanoseconds else { return try wait(until: nil) }
        guard nanoseconds > 0 else { return try wait(until: 0) }
        let (deadline, isBeyondTime) = MonotonicClock.now().addingReportingOverflow(nanoseconds)
        return try wait(until: isBeyondTime ? nil : deadline)
    }

    private mutating func wait(until deadline: Int64?) throws(SystemError) -> Int {
        while true {
            let count: Int32
            if let deadline {
                let left = deadline == 0 ? 0 : max(0, deadline - MonotonicClock.now())
                var time = timespec(tv_sec: Int(left / 1_000_000_000), tv_nsec: Int(left % 1_000_000_000))
                count = unsafe nb_poll(&entries, nfds_t(entries.count), &time)
            } else {
                count = unsafe nb_poll(&entries, nfds_t(entries.count), nil)
            }
            if count >= 0 { return Int(count) }
            guard errno == EINTR else { throw SystemError(operation: "wait for descriptors") }
        }
    }

    /// What the last `wait` found for a slot.
    public func readiness(of slot: Slot) -> Readiness {
        let events = Int32(entries[slot.index].revents)
        var readiness: Readiness = []
        if events & POLLIN != 0 { readiness.insert(.readable) }
        if events & POLLOUT != 0 { readiness.insert(.writable) }
        if events & POLLHUP != 0 { readiness.insert(.hangUp) }
        if events & (POLLERR | POLLNVAL) != 0 { readiness.insert(.error) }
        return readiness
    }

    private static func events(_ interest: Readiness) -> Int16 {
        Int16((interest.contains(.readable) ? POLLIN : 0) | (interest.contains(.writable) ? POLLOUT : 0))
    }

    private static func nanoseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        // A century is for ever; the bound keeps the multiplication from overflowing.
        return min(max(seconds, -1), 3_000_000_000) * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
