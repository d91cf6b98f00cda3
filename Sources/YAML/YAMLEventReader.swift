// nearby-bridge · SPDX-License-Identifier: Apache-2.0

internal import CYAML

/// Owns a libyaml parser and hands out its events as values: the only file that touches libyaml.
///
/// The parser keeps a pointer to itself, so it lives on the heap and never moves. The input must outlive the reader.
@safe
struct YAMLEventReader: ~Copyable {
    private let parser: UnsafeMutablePointer<yaml_parser_t>

    /// Starts reading, `nil` if libyaml cannot get memory.
    init?(_ input: UnsafeBufferPointer<UInt8>) {
        unsafe parser = .allocate(capacity: 1)
        unsafe parser.initialize(to: yaml_parser_t())
        guard unsafe yaml_parser_initialize(parser) == 1 else {
            unsafe parser.deallocate()
            return nil
        }
        unsafe yaml_parser_set_input_string(parser, input.baseAddress, input.count)
        // Without this libyaml would guess, and take two odd bytes for UTF-16.
        unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    }

    deinit {
        unsafe yaml_parser_delete(parser)
        unsafe parser.deallocate()
    }

    /// The next event; after `streamEnd` or a fault there is none to ask for.
    mutating func next() throws(YAMLFault) -> YAMLEvent {
        var event = unsafe yaml_event_t()
        guard unsafe yaml_parser_parse(parser, &event) == 1 else { throw fault() }
        defer { unsafe yaml_event_delete(&event) }
        return YAMLEvent(kind: unsafe Self.kind(of: event), position: unsafe Self.position(event.start_mark))
    }

    private static func kind(of event: yaml_event_t) -> YAMLEvent.Kind {
        switch unsafe event.type {
        case YAML_SCALAR_EVENT:
            let scalar = unsafe event.data.scalar
            let bytes = unsafe UnsafeBufferPointer(start: scalar.value, count: Int(scalar.length))
            return .scalar(
                unsafe String(decoding: bytes, as: UTF8.self),
                isPlain: unsafe scalar.style == YAML_PLAIN_SCALAR_STYLE,
                unsafe properties(scalar.anchor, scalar.tag)
            )
        case YAML_SEQUENCE_START_EVENT:
            return .sequenceStart(
                unsafe properties(event.data.sequence_start.anchor, event.data.sequence_start.tag)
            )
        case YAML_MAPPING_START_EVENT:
            return .mappingStart(
                unsafe properties(event.data.mapping_start.anchor, event.data.mapping_start.tag)
            )
        case YAML_SEQUENCE_END_EVENT: return .sequenceEnd
        case YAML_MAPPING_END_EVENT: return .mappingEnd
        case YAML_ALIAS_EVENT: return .alias
        case YAML_STREAM_START_EVENT: return .streamStart
        case YAML_DOCUMENT_START_EVENT: return .documentStart
        case YAML_DOCUMENT_END_EVENT: return .documentEnd
        // libyaml answers "no event" after the end of the stream: the same to us.
        default: return .streamEnd
        }
    }

    private static func properties(
        _ anchor: UnsafeMutablePointer<yaml_char_t>?,
        _ tag: UnsafeMutablePointer<yaml_char_t>?
    ) -> YAMLEvent.Properties {
        YAMLEvent.Properties(
            hasAnchor: unsafe anchor != nil,
            tag: unsafe tag.map { unsafe String(decodingCString: $0, as: UTF8.self) }
        )
    }

    private static func position(_ mark: yaml_mark_t) -> YAMLPosition {
        YAMLPosition(line: Int(mark.line) + 1, column: Int(mark.column) + 1)
    }

    private func fault() -> YAMLFault {
        let stage: YAMLFault.Stage =
            switch unsafe parser.pointee.error {
            case YAML_MEMORY_ERROR: .memory
            case YAML_READER_ERROR: .reader
            default: .grammar
            }
        return YAMLFault(
            stage: stage,
            problem: unsafe parser.pointee.problem.map { unsafe String(cString: $0) } ?? "not YAML",
            context: unsafe parser.pointee.context.map { unsafe String(cString: $0) },
            position: unsafe Self.position(parser.pointee.problem_mark),
            contextPosition: unsafe Self.position(parser.pointee.context_mark),
            byteOffset: Int(unsafe parser.pointee.problem_offset)
        )
    }
}
