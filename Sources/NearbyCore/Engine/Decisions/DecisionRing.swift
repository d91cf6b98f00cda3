// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// The last decisions of one accessory–peer, in a memory that never grows.
struct DecisionRing: Equatable, Sendable {
    /// So many are kept.
    static let capacity = 4

    private var slots = InlineArray<4, ZoneDecision?>(repeating: nil)
    private var next: UInt8 = 0

    static func == (lhs: DecisionRing, rhs: DecisionRing) -> Bool { lhs.all == rhs.all }

    /// Adds one; the oldest gives way.
    mutating func append(_ decision: ZoneDecision) {
        slots[Int(next)] = decision
        next = (next + 1) % UInt8(Self.capacity)
    }

    /// All that are kept, oldest first.
    var all: [ZoneDecision] {
        (0..<Self.capacity).compactMap { slots[(Int(next) + $0) % Self.capacity] }
    }

    /// The newest about a zone.
    func last(about zone: Int) -> ZoneDecision? { all.last { $0.zone == zone } }

    /// Takes the new places of zones; what was decided about one that is gone is forgotten.
    mutating func renumber(_ places: [Int?]) {
        let kept = all
        self = DecisionRing()
        for var decision in kept {
            guard decision.zone < places.count, let place = places[decision.zone] else { continue }
            decision.zone = place
            append(decision)
        }
    }
}
