// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Configuration data as it arrives on a topic, in whatever spelling, and the bare bytes that it means.
///
/// CONTRACT section 2.1: raw bytes, framed by their message id or bare; hexadecimal or base64 text of the same; or JSON
/// with that text in `data`. These rules tell them apart, and none of them guesses:
/// - The first byte that is not blank decides between bytes and text: configuration data begins with 0x01, 0x02 or
///   0x0B, which no text does.
/// - Text that begins with a brace is JSON.
/// - Other text is hexadecimal if it consists of nothing but its digits and separators, else base64. The base64 of
///   configuration data has a `Q`, `g` or `w` as its second letter, so it is never taken for hexadecimal. Digits with a
///   single other letter among them are neither, but a typing error.
/// - Framed and bare differ in the second byte, checked against the length byte
///   (`reference/nearby-interaction.md` section 1.2).
public struct ConfigurationPayload: Hashable, Sendable {
    /// Which of the two is expected.
    public enum Kind: Sendable, CaseIterable {
        /// Accessory configuration data, framed by 0x01.
        case accessory
        /// Shareable configuration data, framed by 0x0B.
        case shareable

        var subject: CodecError.Subject {
            switch self {
            case .accessory: .accessoryConfigurationData
            case .shareable: .shareableConfigurationData
            }
        }

        /// The id that may stand before the data.
        public var messageID: UInt8 {
            switch self {
            case .accessory: AccessoryMessage.Kind.accessoryConfigurationData.id
            case .shareable: AccessoryMessage.Kind.configureAndStart.id
            }
        }

        /// Where the length byte stands in bare data.
        fileprivate var lengthOffset: Int {
            switch self {
            case .accessory: AccessoryConfigurationData.headerLength - 1
            case .shareable: ShareableConfigurationData.headerLength - 1
            }
        }

        /// The known major versions at the beginning of bare data.
        fileprivate var majorVersions: ClosedRange<UInt8> {
            switch self {
            case .accessory: 1...1
            case .shareable: 1...2
            }
        }
    }

    /// How the bytes were written.
    public enum Spelling: Sendable, CaseIterable {
        /// As they are.
        case binary
        /// As hexadecimal text.
        case hexadecimal
        /// As base64 text.
        case base64
    }

    /// The fields of the JSON.
    public enum Field: String, Sendable, CaseIterable {
        /// The bytes as hexadecimal or base64 text.
        case data
        /// A name for people.
        case name
        /// How it measures.
        case technology
        /// What it can.
        case capabilities
        /// What it is called on the air, with Bluetooth Channel Sounding.
        case identifier
        /// What it was called before.
        case previousIdentifier = "previous_identifier"
        /// The session id of the anchors, where it locates itself by downlink time differences.
        case networkIdentifier = "network_identifier"

        /// What its value must be.
        public var expectation: String {
            switch self {
            case .data: "hexadecimal or base64 text"
            case .name: "text of one line, at most 1024 bytes"
            case .technology: "\"uwb\", \"ble-cs\" or \"dl-tdoa\""
            case .capabilities: "an object of Booleans"
            case .identifier, .previousIdentifier: "1 to 64 of A–Z a–z 0–9 : -"
            case .networkIdentifier: "a whole number from 0 to \(UInt32.max)"
            }
        }
    }

    /// The bare bytes, not yet decoded; `nil` only in JSON of an accessory that needs none.
    public internal(set) var data: SecretBytes?
    /// How the bytes were written: answers to an accessory that wrote text go as text.
    public internal(set) var spelling: Spelling
    /// Whether a message id stood before the bytes.
    public internal(set) var isFramed = false
    /// Whether the text stood in JSON.
    public internal(set) var isJSON = false
    /// The name for people, if the JSON has one.
    public internal(set) var name: String?
    /// How the accessory measures, if the JSON says so.
    public internal(set) var technology: Technology?
    /// What the accessory can, if the JSON says so.
    public internal(set) var capabilities: Capabilities?
    /// What the accessory is called on the air, if the JSON says so.
    public internal(set) var identifiers: BluetoothIdentifiers?
    /// The session id of the anchors that it listens to, if the JSON says so.
    public internal(set) var networkIdentifier: UInt32?

    /// Whether answers go as bytes: CONTRACT section 2.1, `command`.
    public var isBinary: Bool { spelling == .binary }

    /// Reads a payload down to the bare bytes.
    ///
    /// - Throws: A fault of the spelling; the bytes themselves are for their decoder to judge.
    public static func decode(_ payload: Span<UInt8>, as kind: Kind) throws(CodecError) -> Self {
        do throws(CodecError.Reason) {
            return try Self(payload, kind)
        } catch {
            throw CodecError(kind.subject, error)
        }
    }

    /// Whether the payload is to be read as text: it is one by its first byte that is not blank.
    public static func isText(_ payload: Span<UInt8>) -> Bool {
        let start = textStart(payload)
        guard start < payload.count else { return true }
        return 0x20..<0x7F ~= payload[start]
    }

    private init(_ payload: Span<UInt8>, _ kind: Kind) throws(CodecError.Reason) {
        let start = Self.textStart(payload)
        if Self.isText(payload), JSONScanner.peek(in: payload, at: start) == UInt8(ascii: "{") {
            try self.init(json: payload, from: start, kind)
        } else {
            let (bytes, spelling) = try Self.bytes(of: payload)
            self.init(bytes, spelling, kind)
        }
    }

    /// Reads a payload that is not JSON down to its bytes, of which there is at least one.
    public static func bytes(of payload: Span<UInt8>) throws(CodecError.Reason) -> ([UInt8], Spelling) {
        let start = textStart(payload)
        guard start < payload.count else { throw .empty }
        guard isText(payload) else {
            var offset = 0
            return (ByteReader.rest(of: payload, at: &offset), .binary)
        }
        let (bytes, spelling) = try Self.bytes(ofText: payload.extracting(start...), at: start)
        guard !bytes.isEmpty else { throw .empty }
        return (bytes, spelling)
    }

    init(_ bytes: [UInt8], _ spelling: Spelling, _ kind: Kind) {
        isFramed = Self.isFramed(bytes.span, kind)
        data = SecretBytes(isFramed ? Array(bytes.dropFirst()) : bytes)
        self.spelling = spelling
    }

    /// Reads hexadecimal or base64 text that begins at this offset of the payload.
    static func bytes(ofText text: Span<UInt8>, at start: Int) throws(CodecError.Reason) -> ([UInt8], Spelling) {
        do throws(Hexadecimal.Fault) {
            return (try Hexadecimal.decode(text), .hexadecimal)
        } catch {
            switch error {
            case .oddDigits(let offset): throw .oddDigits(offset: start + offset)
            case .unexpectedCharacter: break
            }
        }
        // As base64 it would be other bytes, whose fault nobody would find.
        if let offset = Hexadecimal.strayLetter(in: text) { throw .strayCharacter(offset: start + offset) }
        do throws(Base64.Fault) {
            return (try Base64.decode(text), .base64)
        } catch {
            throw .neitherHexadecimalNorBase64(offset: start + error.offset)
        }
    }

    /// Where the payload begins behind blanks and the byte order mark that some editors leave.
    private static func textStart(_ payload: Span<UInt8>) -> Int {
        var start = 0
        if payload.count >= 3, payload[0] == 0xEF, payload[1] == 0xBB, payload[2] == 0xBF { start = 3 }
        JSONScanner.skipWhitespace(in: payload, at: &start)
        return start
    }

    /// Whether the first byte is a message id.
    ///
    /// Bare accessory data begins with 01 00, framed with 01 01 00; bare shareable data with 01 00 or 02 00, framed
    /// with 0B and one of these. Any other beginning, which no known version has, is framed if the length byte says so.
    public static func isFramed(_ bytes: Span<UInt8>, _ kind: Kind) -> Bool {
        guard bytes.count > 1, bytes[0] == kind.messageID else { return false }
        let isMajorVersion = bytes.count > 2 && bytes[2] == 0 && kind.majorVersions ~= bytes[1]
        if isMajorVersion { return true }
        if kind == .accessory, bytes[1] == 0 { return false }
        let agreesFramed = agrees(bytes, lengthAt: kind.lengthOffset + 1)
        let agreesBare = agrees(bytes, lengthAt: kind.lengthOffset)
        return agreesFramed == agreesBare ? bytes[1] != 0 : agreesFramed
    }

    /// Whether the bytes end where the length byte at this offset says.
    private static func agrees(_ bytes: Span<UInt8>, lengthAt offset: Int) -> Bool {
        offset < bytes.count && bytes.count == offset + 1 + Int(bytes[offset])
    }
}
