// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// Bytes explained field by field.
struct Explanation: Sendable {
    /// What they are.
    var kind: DecodeKind
    /// How they were written.
    var spelling: ConfigurationPayload.Spelling
    /// How many there are.
    var length: Int
    /// Their fields, in order and without a gap.
    private(set) var fields: [DecodedField] = []
    /// What is unusual.
    private(set) var warnings: [String] = []
    /// What JSON around them said besides, as pairs of a key and its text.
    private(set) var remarks: [(key: String, text: String)] = []

    private let bytes: [UInt8]
    private let showsSecrets: Bool

    /// Explains the bytes of an input.
    init(_ input: DecodeInput, as kind: DecodeKind, showsSecrets: Bool) throws(CodecError) {
        self.kind = kind
        spelling = input.spelling
        bytes = input.bytes
        length = bytes.count
        self.showsSecrets = showsSecrets
        remarks = input.remarks
        switch kind {
        case .message: try explainMessage()
        case .uci:
            let packets = UCIExplainer(bytes)
            fields = packets.fields
            warnings = packets.warnings
        case .linktrack: explainLinkTrack(bytes)
        case .accessory, .shareable:
            if let payload = kind.payload, ConfigurationPayload.isFramed(bytes.span, payload) {
                try explainMessage()
            } else if kind == .accessory {
                try explainAccessory(bytes)
            } else {
                try explainShareable(bytes)
            }
        }
    }

    private mutating func explainMessage() throws(CodecError) {
        let message = try AccessoryMessage.decode(bytes.span)
        let payload = message.payload.bytes
        add("message_id", 1, .hexadecimal(message.kind.id), MessageVocabulary.meaning(of: message.kind))
        switch message.kind {
        case .accessoryConfigurationData: try explainAccessory(payload)
        case .configureAndStart: try explainShareable(payload)
        case .accessoryDidStart, .accessoryDidStop, .accessoryPaired, .initialize, .stop, .vendor:
            guard !payload.isEmpty else { return }
            add("payload", payload.count, .none, "", isSecret: MessageVocabulary.mayHoldKey(message.kind))
            if message.kind.hasPayload == false {
                warnings.append(
                    "\(payload.count) byte\(payload.count == 1 ? "" : "s") of payload where there should be none"
                )
            }
        }
    }

    /// Adds the field that follows the last one.
    mutating func add(
        _ name: String,
        _ length: Int,
        _ value: DecodedField.Value,
        _ meaning: String = "",
        isSecret: Bool = false
    ) {
        guard length > 0 else { return }
        let offset = fields.last.map { $0.offset + $0.bytes.count } ?? 0
        let slice = Array(bytes.dropFirst(offset).prefix(length))
        fields.append(
            DecodedField(
                offset: offset,
                bytes: slice,
                name: name,
                value: value,
                meaning: meaning,
                isSecret: isSecret && !showsSecrets
            )
        )
    }

    /// Adds a warning.
    mutating func warn(_ text: String) { warnings.append(text) }

    /// Adds what a codec warns of.
    mutating func add(_ more: [ConfigurationWarning]) {
        warnings += more.map(\.description)
    }
}

extension DecodedField.Value {
    /// A number in decimal.
    static func decimal(_ value: some BinaryInteger) -> Self { .number(Int64(value), String(value)) }

    /// A number in hexadecimal, with all the digits of its type.
    static func hexadecimal<Value: FixedWidthInteger & UnsignedInteger>(_ value: Value) -> Self {
        .number(Int64(value), "0x" + Hexadecimal.text(value, digits: Value.bitWidth / 4).uppercased())
    }
}
