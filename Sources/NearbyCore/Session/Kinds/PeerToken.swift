// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// A phone's discovery token on its way to the other phone of a pair.
///
/// A token is an identity: never logged, never retained, never written to a disk.
public struct PeerToken: Equatable, Sendable {
    /// The phone that gets it.
    public var accessory: String
    /// The phone whose it is, as the receiver's topics call it.
    public var peer: String
    /// The token as it came.
    public var token: SecretBytes
    /// The run that it is for.
    public var run: Int64

    /// The longest token (bytes).
    public static let maximumLength = 1024

    /// Reads a payload of `…/token`: bytes, hexadecimal or base64 text, or JSON with such text in `data`.
    ///
    /// A phone's own token begins like text and is none, so it is text only if every byte of it is.
    public static func decode(_ payload: Span<UInt8>) throws(CodecError) -> SecretBytes {
        do throws(CodecError.Reason) {
            let bytes = try bytes(of: payload)
            guard !bytes.isEmpty else { throw .empty }
            guard bytes.count <= maximumLength else { throw .tooLong(most: maximumLength, actual: bytes.count) }
            return SecretBytes(bytes)
        } catch {
            throw CodecError(.discoveryToken, error)
        }
    }

    private static func bytes(of payload: Span<UInt8>) throws(CodecError.Reason) -> [UInt8] {
        var start = 0
        JSONScanner.skipWhitespace(in: payload, at: &start)
        guard start < payload.count else { throw .empty }
        for index in payload.indices where !isText(payload[index]) {
            var offset = 0
            return ByteReader.rest(of: payload, at: &offset)
        }
        guard payload[start] == UInt8(ascii: "{") else { return try ConfigurationPayload.bytes(of: payload).0 }
        return try ConfigurationPayload.data(ofJSON: payload, from: start)
    }

    private static func isText(_ byte: UInt8) -> Bool {
        0x20..<0x7F ~= byte || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }
}
