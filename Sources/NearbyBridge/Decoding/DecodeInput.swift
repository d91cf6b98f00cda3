// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// Bytes to explain, and how they were written.
struct DecodeInput: Sendable {
    /// The bytes, with a message id if there is one.
    var bytes: [UInt8]
    /// How they were written.
    var spelling: ConfigurationPayload.Spelling
    /// What JSON around them said besides.
    var remarks: [(key: String, text: String)] = []

    /// Takes bytes as they are.
    init(bytes: [UInt8]) {
        self.bytes = bytes
        spelling = .binary
    }

    /// Reads what somebody typed or piped.
    ///
    /// `isText` says that the payload, whose kind may be unknown, cannot be anything but text.
    init(_ payload: [UInt8], as kind: DecodeKind?, isText: Bool) throws(CodecError) {
        guard isText || Self.isText(payload) else {
            bytes = payload
            spelling = .binary
            return
        }
        let subject = CodecError.Subject(kind)
        if Self.firstCharacter(payload) == UInt8(ascii: "{") {
            let configuration = kind?.payload ?? .accessory
            let decoded = try ConfigurationPayload.decode(payload.span, as: configuration)
            guard let data = decoded.data else { throw CodecError(subject, .missingData) }
            bytes = (decoded.isFramed ? [configuration.messageID] : []) + data.bytes
            spelling = decoded.spelling
            if let name = decoded.name { remarks.append(("name", name)) }
            if let technology = decoded.technology { remarks.append(("technology", technology.rawValue)) }
            if let network = decoded.networkIdentifier { remarks.append(("network_identifier", "\(network)")) }
            if let capabilities = decoded.capabilities {
                remarks.append(("capabilities", capabilities.words.joined(separator: ", ")))
            }
            return
        }
        do throws(CodecError.Reason) {
            (bytes, spelling) = try ConfigurationPayload.bytes(of: payload.span)
        } catch {
            throw CodecError(subject, error)
        }
    }

    /// Whether all of it can be text: a message of a vendor may begin with a letter.
    ///
    /// A line feed alone is not a blank text but the message initialize.
    private static func isText(_ payload: [UInt8]) -> Bool {
        guard payload != [AccessoryMessage.Kind.initialize.id] else { return false }
        let body = payload.starts(with: [0xEF, 0xBB, 0xBF]) ? payload.dropFirst(3) : payload[...]
        return body.allSatisfy { 0x20..<0x7F ~= $0 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
            || firstCharacter(payload) == UInt8(ascii: "{")
    }

    private static func firstCharacter(_ payload: [UInt8]) -> UInt8? {
        payload.first { $0 > 0x20 && ![0xEF, 0xBB, 0xBF].contains($0) }
    }
}

extension CodecError.Subject {
    fileprivate init(_ kind: DecodeKind?) {
        self =
            switch kind {
            case .accessory: .accessoryConfigurationData
            case .shareable: .shareableConfigurationData
            case .message: .message
            case .uci, .linktrack, nil: .any
            }
    }
}
