// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// One step of libyaml through a text, copied into values of our own.
struct YAMLEvent {
    /// What may stand before any value.
    struct Properties {
        var hasAnchor = false
        var tag: String?
    }

    enum Kind {
        case streamStart
        case streamEnd
        case documentStart
        case documentEnd
        case alias
        case scalar(String, isPlain: Bool, Properties)
        case sequenceStart(Properties)
        case sequenceEnd
        case mappingStart(Properties)
        case mappingEnd
    }

    var kind: Kind
    var position: YAMLPosition
}
