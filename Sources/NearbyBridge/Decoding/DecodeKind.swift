// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// What bytes can be explained as.
enum DecodeKind: String, Sendable, CaseIterable {
    /// Accessory configuration data.
    case accessory = "acd"
    /// Shareable configuration data.
    case shareable = "scd"
    /// A data-channel message.
    case message
    /// UCI packets.
    case uci
    /// Frames of Nooploop's LinkTrack.
    case linktrack

    /// What it is called in full.
    var title: String {
        switch self {
        case .accessory: "accessory configuration data"
        case .shareable: "shareable configuration data"
        case .message: "data-channel message"
        case .uci: "FiRa UCI packets"
        case .linktrack: "Nooploop LinkTrack frames"
        }
    }

    /// How such data arrives on a topic, `nil` for what is no configuration data.
    var payload: ConfigurationPayload.Kind? {
        switch self {
        case .accessory: .accessory
        case .shareable: .shareable
        case .message, .uci, .linktrack: nil
        }
    }

    /// Finds out what bytes are, `nil` if they look like nothing that is known.
    ///
    /// Framed data is a message; bare data decodes as one of the two, and if it is broken, its first bytes and its
    /// length byte say which of the two it was meant to be.
    static func guess(_ bytes: [UInt8]) -> DecodeKind? {
        let span = bytes.span
        if ConfigurationPayload.isFramed(span, .accessory) || ConfigurationPayload.isFramed(span, .shareable) {
            return .message
        }
        if (try? AccessoryConfigurationData.decode(span))?.uwb != nil { return .accessory }
        if (try? ShareableConfigurationData.decode(span))?.layout != nil { return .shareable }
        guard bytes.count > 1, bytes[1] == 0, 1...2 ~= bytes[0] else {
            return bytes.first.map { MessageVocabulary.isKnown($0) } == true ? .message : packets(bytes)
        }
        let lengths = ConfigurationLayout.allCases.map(\.shareableLength)
        let hasShareableLength = bytes.count > 4 && lengths.contains(Int(bytes[4]))
        return bytes[0] == 2 || hasShareableLength ? .shareable : .accessory
    }

    /// The kind of packets that a format of reports sees in the bytes.
    private static func packets(_ bytes: [UInt8]) -> DecodeKind? {
        switch RangeFormatRow.table.first(where: { $0.looksLike(bytes.span) })?.format {
        case .uci: .uci
        case .linktrack: .linktrack
        default: nil
        }
    }
}
