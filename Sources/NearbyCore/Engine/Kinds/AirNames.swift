// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What accessories with Bluetooth Channel Sounding are called on the air: their present and previous identifiers.
///
/// Reports may name an accessory so, on a topic or as a peer. Looking up allocates nothing.
struct AirNames: Sendable {
    private var table: IdentifierTable
    /// The accessory by the place of its identifier.
    private var accessories: [Int] = []
    /// The identifiers of each accessory.
    private var identifiers: [Int: BluetoothIdentifiers] = [:]

    /// Creates a table that knows nobody; the key should be random.
    init(key: UInt64) {
        table = IdentifierTable(key: key)
    }

    /// Whether nobody is called anything.
    var isEmpty: Bool { identifiers.isEmpty }

    /// The accessory that is called so on the air.
    func accessory(of identifier: Span<UInt8>) -> Int? {
        guard !isEmpty else { return nil }
        return table.index(of: identifier, in: 0).map { accessories[$0] }
    }

    /// Has an accessory called so, and not by what it was called before.
    ///
    /// - Returns: Whether nobody else is: whoever came first keeps the name.
    mutating func claim(_ names: BluetoothIdentifiers, for accessory: Int) -> Bool {
        guard identifiers[accessory] != names else { return true }
        let texts = [names.current, names.previous].compactMap(\.self)
        let isTaken = texts.contains { text in
            self.accessory(of: Array(text.utf8).span).map { $0 != accessory } ?? false
        }
        guard !isTaken else { return false }
        release(accessory)
        identifiers[accessory] = names
        for text in texts {
            let place = table.insert(Array(text.utf8).span, in: 0)
            while accessories.count <= place { accessories.append(-1) }
            accessories[place] = accessory
        }
        return true
    }

    /// Forgets what an accessory is called.
    mutating func release(_ accessory: Int) {
        guard let names = identifiers.removeValue(forKey: accessory) else { return }
        for text in [names.current, names.previous].compactMap(\.self) {
            if let place = table.index(of: Array(text.utf8).span, in: 0) { table.remove(place) }
        }
    }
}
