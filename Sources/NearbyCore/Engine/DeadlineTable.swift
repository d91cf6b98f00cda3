// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// The earliest deadline of many, one per slot: a binary heap that knows where each slot stands.
///
/// Setting, moving and removing cost O(log n); reading the earliest costs nothing. Slots are small numbers that the
/// owner hands out and uses again. No allocation once the table has grown to its size.
struct DeadlineTable: Sendable {
    private struct Entry {
        var due: Instant
        var slot: Int32
    }

    private var heap: [Entry] = []
    /// The place of each slot in `heap`, or -1.
    private var places: [Int32] = []

    /// The earliest deadline, if there is any.
    var earliest: Instant? { heap.first?.due }

    /// How many slots have a deadline.
    var count: Int { heap.count }

    /// The deadline of a slot, if it has one.
    func deadline(of slot: Int) -> Instant? {
        guard places.indices.contains(slot), places[slot] >= 0 else { return nil }
        return heap[Int(places[slot])].due
    }

    /// Gives a slot its deadline, or takes it away with `nil`.
    mutating func set(_ due: Instant?, for slot: Int) {
        guard let due else { return remove(slot) }
        while places.count <= slot { places.append(-1) }
        if places[slot] >= 0 {
            let place = Int(places[slot])
            heap[place].due = due
            siftUp(place)
            siftDown(Int(places[slot]))
        } else {
            heap.append(Entry(due: due, slot: Int32(slot)))
            places[slot] = Int32(heap.count - 1)
            siftUp(heap.count - 1)
        }
    }

    /// Brings a slot's deadline forward; a later one than it has is ignored.
    mutating func bringForward(_ due: Instant, for slot: Int) {
        if let current = deadline(of: slot), current <= due { return }
        set(due, for: slot)
    }

    /// Takes the slot whose deadline has come, earliest first, with ties in the order of slots.
    mutating func popDue(at now: Instant) -> Int? {
        guard let first = heap.first, first.due <= now else { return nil }
        remove(Int(first.slot))
        return Int(first.slot)
    }

    private mutating func remove(_ slot: Int) {
        guard places.indices.contains(slot), places[slot] >= 0 else { return }
        let place = Int(places[slot])
        places[slot] = -1
        let last = heap.removeLast()
        guard place < heap.count else { return }
        heap[place] = last
        places[Int(last.slot)] = Int32(place)
        siftUp(place)
        siftDown(Int(places[Int(last.slot)]))
    }

    private func isEarlier(_ lhs: Entry, _ rhs: Entry) -> Bool {
        lhs.due == rhs.due ? lhs.slot < rhs.slot : lhs.due < rhs.due
    }

    private mutating func siftUp(_ start: Int) {
        var child = start
        while child > 0 {
            let parent = (child - 1) / 2
            guard isEarlier(heap[child], heap[parent]) else { return }
            exchange(child, parent)
            child = parent
        }
    }

    private mutating func siftDown(_ start: Int) {
        var parent = start
        while true {
            var smallest = parent
            for child in (2 * parent + 1)...(2 * parent + 2) where child < heap.count {
                if isEarlier(heap[child], heap[smallest]) { smallest = child }
            }
            guard smallest != parent else { return }
            exchange(parent, smallest)
            parent = smallest
        }
    }

    private mutating func exchange(_ a: Int, _ b: Int) {
        heap.swapAt(a, b)
        places[Int(heap[a].slot)] = Int32(a)
        places[Int(heap[b].slot)] = Int32(b)
    }
}
