// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import LinuxSystem

/// A place in a turn of the loop where a test can have the process die, as by `kill -9`.
///
/// `NEARBY_FAULT=committed:3` in the environment ends a debug build when it passes that place for the third time in a
/// turn with something to tell since the first event; `NEARBY_FAULT=committed:3:birth` counts from the beginning. A
/// release build knows nothing of it.
enum FaultPoint: String, CaseIterable {
    /// What the engine decided is in the outbox.
    case effectsPerformed = "effects_performed"
    /// libmosquitto has the messages and has sent none.
    case handedOver = "handed_over"
    /// The store has what changed.
    case committed
    /// The messages are on their way.
    case written

    /// What a turn has to tell or to keep.
    enum News {
        case nothing
        /// No event was made yet.
        case birth
        case event
    }

    #if DEBUG
        private struct Order {
            var point: FaultPoint
            var count: Int
            var countsBirth: Bool
        }

        private static let order: Order? = {
            let text = ProcessInfo.processInfo.environment["NEARBY_FAULT"] ?? ""
            let parts = text.split(separator: ":")
            guard parts.count >= 2, let point = FaultPoint(rawValue: String(parts[0])) else { return nil }
            return Int(parts[1]).map { Order(point: point, count: $0, countsBirth: parts.last == "birth") }
        }()
        private static let passed = Locked(0)

        /// A death is awaited: messages are handed over one by one, so that it can come between any two.
        static var isAwaited: Bool { order != nil }

        /// Passes the place, and dies if it is time.
        func pass(with news: News) {
            guard let order = Self.order, order.point == self else { return }
            guard news == .event || (news == .birth && order.countsBirth) else { return }
            let count = Self.passed.withLock { count in
                count += 1
                return count
            }
            if count == order.count { OwnProcess.die() }
        }
    #else
        static var isAwaited: Bool { false }

        @inline(__always)
        func pass(with news: @autoclosure () -> News) {}
    #endif
}
