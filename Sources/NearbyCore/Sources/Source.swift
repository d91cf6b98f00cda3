// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// One source at work: its options, and what it has learned.
struct Source: Sendable {
    /// One end of a report, by the name that the bridge has for it, or else by its radio address.
    enum End: Equatable {
        case unknown
        case name([UInt8])
        case address(RadioAddress)
    }

    /// An anchor whose place is known.
    struct Anchor {
        var name: [UInt8]
        var position: SIMD3<Double>
    }

    /// More anchors than any site has; strangers may tell of them.
    static let mostAnchors = 1024
    /// Names that are remembered as they were spelled; beyond them they are asked for again.
    static let mostSpellings = 65_536

    let options: SourceOptions
    private(set) var anchors: [Anchor]
    /// The place of each anchor among them.
    private var anchorPlaces: [[UInt8]: Int] = [:]
    /// Whether it has ever brought a report; some of its topics never do.
    var understanding = ReportUnderstanding()
    /// Names by the address that the configuration has for them.
    private let addressNames: [RadioAddress: [UInt8]]
    /// What the bridge calls names and addresses: so that no text is made for each report.
    private var spelled: [RadioAddress: [UInt8]] = [:]
    private var spellings: IdentifierTable
    private var resolved: [[UInt8]] = []
    private let key: UInt64

    /// A source that has learned nothing; the key of its table should be random.
    init(_ options: SourceOptions, key: UInt64) {
        self.options = options
        self.key = key
        anchors = options.anchors.sorted { $0.key < $1.key }
            .map { Anchor(name: Array($0.key.utf8), position: $0.value) }
        var addresses: [RadioAddress: [UInt8]] = [:]
        // Sorted: what has two names has the same one in every life.
        for (name, wanted) in options.names.sorted(by: { $0.key < $1.key }) {
            if let address = RadioAddress(named: Array(name.utf8).span) { addresses[address] = Array(wanted.utf8) }
        }
        addressNames = addresses
        for (place, anchor) in anchors.enumerated() { anchorPlaces[anchor.name] = place }
        spellings = IdentifierTable(key: key)
    }

    /// What the bridge calls an end.
    mutating func end(_ peer: RangeReport.Peer, in payload: Span<UInt8>) -> End {
        switch peer {
        case .unnamed: .unknown
        case .name(let range): .name(name(payload.extracting(range)))
        case .address(let address): addressNames[address].map { .name($0) } ?? .address(address)
        }
    }

    /// What the bridge calls somebody whom a topic or a payload names.
    mutating func name(_ text: Span<UInt8>) -> [UInt8] {
        if let known = spellings.index(of: text, in: 0) { return resolved[known] }
        if spellings.count >= Self.mostSpellings {
            spellings = IdentifierTable(key: key)
            resolved = []
        }
        let place = spellings.insert(text, in: 0)
        let wanted =
            options.names[text.text].map { Array($0.utf8) }
            ?? (RadioAddress(named: text) ?? RadioAddress(digits: text)).flatMap { addressNames[$0] }
            ?? Array(text.text.utf8)
        resolved.append(wanted)
        // Nothing is ever removed: places count up.
        return resolved[place]
    }

    /// The name of an address that has none: as the configuration would write it.
    mutating func spelling(of address: RadioAddress) -> [UInt8] {
        if let known = spelled[address] { return known }
        if spelled.count >= Self.mostSpellings { spelled.removeAll() }
        let text = Array(address.description.utf8)
        spelled[address] = text
        return text
    }

    /// The place of an anchor by its name.
    func anchor(_ name: [UInt8]) -> Int? { anchorPlaces[name] }

    /// Learns where an anchor stands; what the configuration says of it stays.
    ///
    /// - Returns: Whether there was room. One that the configuration names takes the place of a stranger.
    mutating func learn(_ name: [UInt8], at position: SIMD3<Double>) -> Bool {
        if let known = anchorPlaces[name] {
            if !isConfigured(name) { anchors[known].position = position }
            return true
        }
        if anchors.count >= Self.mostAnchors {
            guard isNamed(name), let stranger = anchors.first(where: { !isConfigured($0.name) && !isNamed($0.name) })
            else { return false }
            forget(stranger.name)
        }
        anchorPlaces[name] = anchors.count
        anchors.append(Anchor(name: name, position: position))
        return true
    }

    /// An anchor that was told of is there no more.
    mutating func forget(_ name: [UInt8]) {
        guard !isConfigured(name), let place = anchorPlaces.removeValue(forKey: name) else { return }
        anchors.swapAt(place, anchors.count - 1)
        anchors.removeLast()
        if place < anchors.count { anchorPlaces[anchors[place].name] = place }
    }

    private func isConfigured(_ name: [UInt8]) -> Bool {
        options.anchors[String(decoding: name, as: UTF8.self)] != nil
    }

    private func isNamed(_ name: [UInt8]) -> Bool {
        options.names.values.contains(String(decoding: name, as: UTF8.self))
    }

    /// Metres between a position and an anchor, heights left out where either has none.
    func distance(_ position: SIMD3<Double>, to anchor: SIMD3<Double>, isHorizontal: Bool) -> Double {
        position.metres(to: anchor, isHorizontal: isHorizontal || options.isHorizontal || anchor.z.isNaN)
    }
}

extension RadioAddress {
    /// An address of four or sixteen bare digits, as topics have it.
    init?(digits text: Span<UInt8>) {
        guard text.count == 4 || text.count == 16 else { return nil }
        var value: UInt64 = 0
        for index in text.indices {
            guard let digit = Hexadecimal.digit(text[index]) else { return nil }
            value = value << 4 | UInt64(digit)
        }
        self = text.count == 16 ? RadioAddress(extended: value) : RadioAddress(value)
    }

    /// An address as the configuration writes it: `0x` and digits, or a hardware address; `nil` for any other name.
    public init?(named text: Span<UInt8>) {
        if let hardware = RadioAddress(hardware: text) {
            self = hardware
            return
        }
        guard text.count > 2, text.count <= 18, text[0] == UInt8(ascii: "0"), text[1] | 0x20 == UInt8(ascii: "x")
        else { return nil }
        var value: UInt64 = 0
        for index in 2..<text.count {
            guard let digit = Hexadecimal.digit(text[index]) else { return nil }
            value = value << 4 | UInt64(digit)
        }
        self = text.count == 18 ? RadioAddress(extended: value) : RadioAddress(value)
    }
}
