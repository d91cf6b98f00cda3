// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Identifiers interned by their raw bytes: bytes in, a small stable index out, without a `String`.
///
/// An identifier lives in a scope (0 for accessories, an accessory's own number for its peers), so one table serves
/// both. Open addressing with a keyed hash: the key is random, because strangers choose the identifiers. Looking up
/// allocates nothing.
struct IdentifierTable: Sendable {
    private struct Entry {
        var hash: UInt64
        var scope: Int32
        /// Where the bytes stand in `arena`; a negative start marks a freed entry.
        var start: Int
        var count: Int
    }

    private var entries: [Entry] = []
    /// Index + 1 of the entry in each bucket; 0 is empty, -1 a removed one.
    private var buckets: [Int32] = Array(repeating: 0, count: 64)
    private var occupied = 0
    private var arena: [UInt8] = []
    private var wasted = 0
    private var free: [Int] = []
    private let key: UInt64

    /// Creates an empty table; the key should be random.
    init(key: UInt64) {
        self.key = key
    }

    /// How many identifiers the table holds.
    var count: Int { entries.count - free.count }

    /// The index of an identifier, if it was interned.
    func index(of bytes: Span<UInt8>, in scope: Int) -> Int? {
        let hash = self.hash(bytes, scope)
        var bucket = Int(truncatingIfNeeded: hash) & (buckets.count - 1)
        while buckets[bucket] != 0 {
            let index = Int(buckets[bucket]) - 1
            if index >= 0, entries[index].hash == hash, isEqual(entries[index], bytes, scope) { return index }
            bucket = (bucket + 1) & (buckets.count - 1)
        }
        return nil
    }

    /// Adds an identifier that is not in the table yet and returns its index.
    mutating func insert(_ bytes: Span<UInt8>, in scope: Int) -> Int {
        if (occupied + 1) * 4 > buckets.count * 3 { rehash() }
        let entry = Entry(hash: hash(bytes, scope), scope: Int32(scope), start: arena.count, count: bytes.count)
        for position in bytes.indices { arena.append(bytes[position]) }
        let index: Int
        if let reused = free.popLast() {
            entries[reused] = entry
            index = reused
        } else {
            entries.append(entry)
            index = entries.count - 1
        }
        place(index)
        return index
    }

    /// Removes an identifier; its index may be given out again.
    mutating func remove(_ index: Int) {
        var bucket = Int(truncatingIfNeeded: entries[index].hash) & (buckets.count - 1)
        while buckets[bucket] != 0 {
            if buckets[bucket] == Int32(index + 1) {
                buckets[bucket] = -1
                break
            }
            bucket = (bucket + 1) & (buckets.count - 1)
        }
        wasted += entries[index].count
        entries[index].start = -1
        entries[index].count = 0
        free.append(index)
        if wasted > 4096, wasted * 2 > arena.count { compact() }
    }

    /// The identifier as text.
    ///
    /// Allocates: for events and logs, not for reports.
    func name(of index: Int) -> String {
        let entry = entries[index]
        guard entry.start >= 0 else { return "" }
        return String(decoding: arena[entry.start..<entry.start + entry.count], as: UTF8.self)
    }

    private func isEqual(_ entry: Entry, _ bytes: Span<UInt8>, _ scope: Int) -> Bool {
        guard entry.count == bytes.count, entry.scope == scope, entry.start >= 0 else { return false }
        for position in 0..<entry.count where arena[entry.start + position] != bytes[position] { return false }
        return true
    }

    /// FNV-1a over the bytes with a random key, and a finishing mix so that the low bits are good.
    private func hash(_ bytes: Span<UInt8>, _ scope: Int) -> UInt64 {
        var hash = key ^ (UInt64(truncatingIfNeeded: scope) &* 0x9E37_79B9_7F4A_7C15)
        for position in bytes.indices {
            hash = (hash ^ UInt64(bytes[position])) &* 0x0000_0100_0000_01B3
        }
        hash = (hash ^ (hash >> 32)) &* 0xD6E8_FEB8_6659_FD93
        return hash ^ (hash >> 32)
    }

    private mutating func place(_ index: Int) {
        var bucket = Int(truncatingIfNeeded: entries[index].hash) & (buckets.count - 1)
        while buckets[bucket] > 0 { bucket = (bucket + 1) & (buckets.count - 1) }
        if buckets[bucket] == 0 { occupied += 1 }
        buckets[bucket] = Int32(index + 1)
    }

    private mutating func rehash() {
        let wanted = count * 2 > buckets.count / 2 ? buckets.count * 2 : buckets.count
        buckets = Array(repeating: 0, count: wanted)
        occupied = 0
        for index in entries.indices where entries[index].start >= 0 { place(index) }
    }

    private mutating func compact() {
        var packed: [UInt8] = []
        for index in entries.indices where entries[index].start >= 0 {
            let start = packed.count
            packed.append(contentsOf: arena[entries[index].start..<entries[index].start + entries[index].count])
            entries[index].start = start
        }
        arena = packed
        wasted = 0
    }
}
