// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What an accessory says that its radio can do.
///
/// The terms are those of Nearby Interaction's device capabilities (`reference/nearby-interaction.md` section 6.4).
public struct Capabilities: OptionSet, Hashable, Sendable {
    /// One bit for each.
    public let rawValue: UInt8

    /// Creates a set from its bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Measures distances precisely.
    public static let preciseDistance = Capabilities(rawValue: 1 << 0)
    /// Measures directions.
    public static let direction = Capabilities(rawValue: 1 << 1)
    /// Can be helped by a camera.
    public static let cameraAssistance = Capabilities(rawValue: 1 << 2)
    /// Measures over extended distances.
    public static let extendedDistance = Capabilities(rawValue: 1 << 3)
    /// Locates itself by downlink time differences.
    public static let downlinkTDoA = Capabilities(rawValue: 1 << 4)
    /// Measures by Bluetooth Channel Sounding.
    public static let channelSounding = Capabilities(rawValue: 1 << 5)

    /// Every capability with its key in JSON.
    public static let names: [(key: String, capability: Capabilities)] = [
        ("precise_distance", .preciseDistance),
        ("direction", .direction),
        ("camera_assistance", .cameraAssistance),
        ("extended_distance", .extendedDistance),
        ("dl_tdoa", .downlinkTDoA),
        ("channel_sounding", .channelSounding),
    ]

    /// The keys of all of them.
    public var words: [String] { Self.names.filter { contains($0.capability) }.map(\.key) }

    /// The capabilities of these keys; others are left out.
    public init(words: [String]) {
        self = Capabilities(Self.names.filter { words.contains($0.key) }.map(\.capability))
    }

    /// Reads an object of Booleans; keys unknown here are ignored, `null` is absent.
    ///
    /// - Returns: `nil` if a known key has another value, or the value is no object.
    static func decode(in payload: Span<UInt8>, at offset: inout Int) throws(ReportError) -> Capabilities? {
        guard JSONScanner.peek(in: payload, at: offset) == UInt8(ascii: "{") else {
            try JSONScanner.skipValue(in: payload, at: &offset, depth: 1)
            return nil
        }
        offset += 1
        var capabilities: Capabilities = []
        var isSound = true
        var isFirst = true
        while let key = try JSONScanner.nextKey(in: payload, at: &offset, isFirst: &isFirst) {
            guard let known = names.first(where: { JSONScanner.isText(of: key, $0.key, in: payload) }) else {
                try JSONScanner.skipValue(in: payload, at: &offset, depth: 2)
                continue
            }
            switch try JSONScanner.literal(in: payload, at: &offset) {
            case .true: capabilities.insert(known.capability)
            case .false, .null: break
            case .nan, .infinity: isSound = false
            case nil:
                isSound = false
                try JSONScanner.skipValue(in: payload, at: &offset, depth: 2)
            }
        }
        return isSound ? capabilities : nil
    }
}
