// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// One message of the data channel between accessory and host: an id and a payload, nothing else.
///
/// `reference/nearby-interaction.md` section 1. The payload of any message may hold key material, so no description
/// shows it.
public struct AccessoryMessage: Hashable, Sendable, CustomStringConvertible {
    /// What a message is.
    public enum Kind: Hashable, Sendable {
        /// 0x01, from the accessory: its configuration data.
        case accessoryConfigurationData
        /// 0x02, from the accessory: it says that it ranges.
        case accessoryDidStart
        /// 0x03, from the accessory: it ranges no more.
        case accessoryDidStop
        /// 0x04, from the accessory: paired for the background; an extension of vendors.
        case accessoryPaired
        /// 0x0A, from the host: send your configuration data.
        case initialize
        /// 0x0B, from the host: here is the shareable configuration data, begin.
        case configureAndStart
        /// 0x0C, from the host: range no more.
        case stop
        /// Any other id: a message of the vendor's own, passed on as it is.
        case vendor(UInt8)

        /// What the id means.
        public init(id: UInt8) {
            self =
                switch id {
                case 0x01: .accessoryConfigurationData
                case 0x02: .accessoryDidStart
                case 0x03: .accessoryDidStop
                case 0x04: .accessoryPaired
                case 0x0A: .initialize
                case 0x0B: .configureAndStart
                case 0x0C: .stop
                default: .vendor(id)
                }
        }

        /// The first byte of the frame.
        public var id: UInt8 {
            switch self {
            case .accessoryConfigurationData: 0x01
            case .accessoryDidStart: 0x02
            case .accessoryDidStop: 0x03
            case .accessoryPaired: 0x04
            case .initialize: 0x0A
            case .configureAndStart: 0x0B
            case .stop: 0x0C
            case .vendor(let id): id
            }
        }

        /// Whether it should have a payload, `nil` if that is not known.
        public var hasPayload: Bool? {
            switch self {
            case .accessoryConfigurationData, .configureAndStart: true
            case .accessoryDidStart, .accessoryDidStop, .initialize, .stop: false
            case .accessoryPaired, .vendor: nil
            }
        }

        /// The name in snake case, as in payloads: `initialize`, `configure_and_start`, `stop` and so on.
        public var name: String {
            switch self {
            case .accessoryConfigurationData: "accessory_configuration_data"
            case .accessoryDidStart: "accessory_did_start"
            case .accessoryDidStop: "accessory_did_stop"
            case .accessoryPaired: "accessory_paired"
            case .initialize: "initialize"
            case .configureAndStart: "configure_and_start"
            case .stop: "stop"
            case .vendor: "vendor"
            }
        }
    }

    /// What it is.
    public var kind: Kind
    /// What follows the id.
    public var payload: SecretBytes

    /// Creates a message.
    ///
    /// A vendor's message with a known id is that message: `.vendor(2)` becomes `.accessoryDidStart`.
    public init(_ kind: Kind, payload: [UInt8] = []) {
        self.kind = Kind(id: kind.id)
        self.payload = SecretBytes(payload)
    }

    /// The message that carries configuration data to the host.
    public static func accessoryConfigurationData(_ data: AccessoryConfigurationData) -> Self {
        Self(.accessoryConfigurationData, payload: data.encoded)
    }

    /// The message that carries configuration data to the accessory.
    public static func configureAndStart(_ data: ShareableConfigurationData) -> Self {
        Self(.configureAndStart, payload: data.encoded)
    }

    /// Decodes one frame, whose only fault can be that it is empty.
    public static func decode(_ frame: Span<UInt8>) throws(CodecError) -> Self {
        var offset = 0
        guard let id = ByteReader.integer(UInt8.self, in: frame, at: &offset) else {
            throw CodecError(.message, .empty)
        }
        return Self(Kind(id: id), payload: ByteReader.rest(of: frame, at: &offset))
    }

    /// The frame.
    public var encoded: [UInt8] { [kind.id] + payload.bytes }

    /// Name, id and length.
    public var description: String {
        "\(kind.name) (0x\(Hexadecimal.text(kind.id, digits: 2).uppercased())), \(payload.bytes.count) bytes"
    }
}
