// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What became of the requests of an accessory of version 2.0, field by field.
public struct RangingGrants: Hashable, Sendable {
    /// What an accessory may ask for, in the order of the words.
    public enum Field: String, Sendable, CaseIterable {
        /// 0 off, 1 on.
        case hopping
        /// Milliseconds.
        case interval = "interval_ms"
        /// RSTU.
        case slotDuration = "slot_duration"
        /// Slots in a round.
        case slots
    }

    /// Why something else was granted than what was asked for.
    public enum Reason: Hashable, Sendable, CaseIterable {
        /// Whoever set the bridge up has decided.
        case configured
        /// A round has 6 to 255 slots.
        case slotsOutOfRange
        /// A slot is a multiple of a millisecond, and of at least two.
        case slotDurationOutOfRange
        /// Neither off nor on.
        case unknownHoppingMode
        /// Shorter than a round.
        case belowRound
        /// The next whole number of rounds.
        case wholeRounds

        /// The reason in words.
        public var text: String {
            switch self {
            case .configured: "set by the configuration"
            case .slotsOutOfRange: "a round has 6 to 255 slots"
            case .slotDurationOutOfRange: "a slot is a multiple of 1200 RSTU, at least 2400"
            case .unknownHoppingMode: "hopping is 0 or 1"
            case .belowRound: "shorter than a round, so the preferred update rate decides"
            case .wholeRounds: "a whole number of rounds"
            }
        }
    }

    /// One request and its answer.
    public struct Grant: Hashable, Sendable {
        /// What the accessory asked for.
        public let requested: Int
        /// What it got.
        public let granted: Int
        /// Why it is something else; `nil` if it is not.
        public let reason: Reason?

        /// An answer; the reason counts only if it is another value.
        init(_ requested: some BinaryInteger, _ granted: some BinaryInteger, _ reason: Reason?) {
            self.requested = Int(clamping: requested)
            self.granted = Int(clamping: granted)
            self.reason = requested == granted ? nil : reason
        }
    }

    /// Hopping between rounds.
    public let hopping: Grant
    /// Milliseconds from one round to the next.
    public let interval: Grant
    /// Length of a slot in RSTU.
    public let slotDuration: Grant
    /// Slots in a ranging round.
    public let slots: Grant

    /// The answer to one request.
    public subscript(_ field: Field) -> Grant {
        switch field {
        case .hopping: hopping
        case .interval: interval
        case .slotDuration: slotDuration
        case .slots: slots
        }
    }
}
