// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// The last values of something; allocates once, when it is made.
struct Ring<Element: Sendable>: Sendable {
    /// So many are kept.
    let capacity: Int
    private var slots: [Element] = []
    private var next = 0

    init(capacity: Int) {
        self.capacity = capacity
        slots.reserveCapacity(capacity)
    }

    /// Adds one; the oldest gives way.
    mutating func append(_ element: Element) {
        guard slots.count == capacity else { return slots.append(element) }
        slots[next] = element
        next = (next + 1) % capacity
    }

    /// All that are kept, oldest first.
    var all: [Element] { Array(slots[next...]) + slots[..<next] }

    /// Forgets all, and keeps the memory.
    mutating func removeAll() {
        slots.removeAll(keepingCapacity: true)
        next = 0
    }
}
