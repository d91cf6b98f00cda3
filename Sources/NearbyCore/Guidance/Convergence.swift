// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// How far a phone's camera assistance has come, as Nearby Interaction's `NIAlgorithmConvergence` tells it.
///
/// Angles need it, distances do not (reference/nearby-interaction.md section 6.3).
public struct Convergence: Equatable, Sendable {
    /// Whether it has come far enough.
    public enum Status: UInt8, Sendable, CaseIterable {
        /// Not known.
        case unknown
        /// Not yet; the reasons say what is missing.
        case notConverged
        /// Angles can be told.
        case converged

        /// The word in payloads.
        public var word: String {
            switch self {
            case .unknown: "unknown"
            case .notConverged: "not_converged"
            case .converged: "converged"
            }
        }
    }

    /// What is missing; several can hold at once.
    public struct Reasons: OptionSet, Hashable, Sendable {
        /// One bit for each.
        public let rawValue: UInt8

        /// Creates a set from its bits.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// The phone was not swept from side to side.
        public static let insufficientHorizontalSweep = Reasons(rawValue: 1 << 0)
        /// The phone was not swept up and down; only the vertical estimate waits for it.
        public static let insufficientVerticalSweep = Reasons(rawValue: 1 << 1)
        /// The phone has hardly been carried about.
        public static let insufficientMovement = Reasons(rawValue: 1 << 2)
        /// It is too dark for the camera.
        public static let insufficientLighting = Reasons(rawValue: 1 << 3)
        /// The radio signal is too weak.
        public static let insufficientSignalStrength = Reasons(rawValue: 1 << 4)
    }

    /// Every known reason with its word in payloads and what a person can do about it.
    public static let reasonTable: InlineArray<5, (word: String, reason: Reasons, hint: String)> = [
        ("insufficient_horizontal_sweep", .insufficientHorizontalSweep, "sweep the phone left and right"),
        ("insufficient_vertical_sweep", .insufficientVerticalSweep, "sweep the phone up and down"),
        ("insufficient_movement", .insufficientMovement, "walk a few steps with the phone in the hand"),
        ("insufficient_lighting", .insufficientLighting, "more light: it is too dark for the camera"),
        (
            "insufficient_signal_strength", .insufficientSignalStrength,
            "go nearer or clear the way: the signal is too weak"
        ),
    ]

    /// How many reasons are kept that are not known here.
    public static let mostOthers = 8

    /// Whether it has come far enough.
    public var status: Status
    /// What is missing.
    public var reasons: Reasons
    /// Reasons that only a newer source knows, `[a-z_]{1,64}` as it calls them, sorted, at most `mostOthers`.
    public var others: [String]

    /// Creates a state of convergence.
    public init(status: Status, reasons: Reasons = [], others: [String] = []) {
        self.status = status
        self.reasons = reasons
        self.others = others
    }

    /// The words of all reasons.
    public var words: [String] {
        var words: [String] = []
        for index in Self.reasonTable.indices where reasons.contains(Self.reasonTable[index].reason) {
            words.append(Self.reasonTable[index].word)
        }
        return words + others
    }

    /// What a person can do, `nil` where nothing is missing or nobody can say.
    public var hint: String? {
        guard status != .converged else { return nil }
        var hints: [String] = []
        for index in Self.reasonTable.indices where reasons.contains(Self.reasonTable[index].reason) {
            hints.append(Self.reasonTable[index].hint)
        }
        if hints.isEmpty, others.isEmpty, status == .notConverged { return "move the phone about, its camera free" }
        return hints.isEmpty ? nil : hints.joined(separator: "; ")
    }

    /// Whether angles to the side wait for it: a sweep up and down alone is only for the vertical estimate.
    var hindersDirection: Bool {
        status == .notConverged && (reasons != .insufficientVerticalSweep || !others.isEmpty)
    }

    /// Reads the words of a payload that this bridge has written; `nil` for a status that is none.
    public init?(status word: String, reasons words: [String]) {
        guard let status = Status.allCases.first(where: { $0.word == word }) else { return nil }
        self.init(status: status)
        for word in words {
            let bytes = Array(word.utf8)
            if let known = Self.reason(bytes.span) {
                reasons.insert(known)
            } else if Self.isReason(bytes.span), !others.contains(word), others.count < Self.mostOthers {
                others.append(word)
            }
        }
        others.sort()
    }

    /// The known reason of a word.
    static func reason(_ word: Span<UInt8>) -> Reasons? {
        for index in reasonTable.indices where JSONScanner.isEqual(word, reasonTable[index].word) {
            return reasonTable[index].reason
        }
        return nil
    }

    /// Whether a word that is not known may be passed on as a reason: `[a-z_]{1,64}`.
    static func isReason(_ word: Span<UInt8>) -> Bool {
        guard 1...64 ~= word.count else { return false }
        for index in word.indices {
            let byte = word[index]
            guard byte == UInt8(ascii: "_") || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte else { return false }
        }
        return true
    }
}
