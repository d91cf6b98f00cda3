// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Builds the tree from libyaml's events and refuses what a configuration should not use.
struct YAMLTreeBuilder: ~Copyable {
    private var reader: YAMLEventReader

    init(_ reader: consuming YAMLEventReader) {
        self.reader = reader
    }

    /// The only document of the stream, `nil` if the stream is empty.
    mutating func document() throws(YAMLParser.Stop) -> YAMLNode? {
        var root: YAMLNode?
        var documents = 0
        while true {
            let event = try next()
            switch event.kind {
            case .streamEnd: return root
            case .documentStart:
                documents += 1
                guard documents == 1 else {
                    throw refuse(.multipleDocuments, event, "a second document starts here", "keep one document only")
                }
                root = try node(next(), depth: 0)
            // Nothing else can stand here: libyaml's own grammar sees to it.
            case .streamStart, .documentEnd, .alias, .scalar, .sequenceStart, .sequenceEnd, .mappingStart, .mappingEnd:
                continue
            }
        }
    }

    private mutating func next() throws(YAMLParser.Stop) -> YAMLEvent {
        do { return try reader.next() } catch { throw .fault(error) }
    }

    /// The node that begins with `event`; recursion ends at the greatest depth allowed.
    private mutating func node(_ event: YAMLEvent, depth: Int) throws(YAMLParser.Stop) -> YAMLNode {
        switch event.kind {
        case .scalar(let text, let isPlain, let properties):
            try check(properties, event, allowed: ["str", "int", "float", "bool", "null"])
            return YAMLNode(.scalar(text, isQuoted: !isPlain || isText(properties.tag)), at: event.position)
        case .sequenceStart(let properties):
            try check(properties, event, allowed: ["seq"])
            try check(depth: depth, event)
            return YAMLNode(.sequence(try sequence(depth: depth + 1)), at: event.position)
        case .mappingStart(let properties):
            try check(properties, event, allowed: ["map"])
            try check(depth: depth, event)
            return YAMLNode(.mapping(try mapping(depth: depth + 1)), at: event.position)
        case .alias:
            throw refuse(
                .alias,
                event,
                "aliases are not supported",
                "repeat the value, or quote text that starts with '*'"
            )
        case .streamStart, .streamEnd, .documentStart, .documentEnd, .sequenceEnd, .mappingEnd:
            throw refuse(.syntax, event, "expected a value", "check the line above")
        }
    }

    private mutating func sequence(depth: Int) throws(YAMLParser.Stop) -> [YAMLNode] {
        var nodes: [YAMLNode] = []
        while true {
            let event = try next()
            if case .sequenceEnd = event.kind { return nodes }
            nodes.append(try node(event, depth: depth))
        }
    }

    private mutating func mapping(depth: Int) throws(YAMLParser.Stop) -> [YAMLNode.Entry] {
        var entries: [YAMLNode.Entry] = []
        var lines: [String: Int] = [:]
        while true {
            let event = try next()
            if case .mappingEnd = event.kind { return entries }
            let keyNode = try node(event, depth: depth)
            guard case .scalar(let key, let isQuoted) = keyNode.content else {
                throw refuse(
                    .complexKey,
                    event,
                    "a list or a mapping cannot be a key",
                    "write a plain name before the colon"
                )
            }
            if let line = lines.updateValue(event.position.line, forKey: key) {
                throw refuse(
                    .duplicateKey,
                    event,
                    "the key \(key.debugDescription) stands in line \(line) already",
                    "keep one of the two"
                )
            }
            entries.append(
                YAMLNode.Entry(
                    key: key,
                    isKeyQuoted: isQuoted,
                    keyPosition: event.position,
                    value: try node(next(), depth: depth)
                )
            )
        }
    }

    private func check(depth: Int, _ event: YAMLEvent) throws(YAMLParser.Stop) {
        guard depth < YAMLParser.maximumDepth else {
            throw refuse(.tooDeep, event, "nested deeper than \(YAMLParser.maximumDepth) levels", "flatten it")
        }
    }

    private func check(
        _ properties: YAMLEvent.Properties,
        _ event: YAMLEvent,
        allowed: [String]
    ) throws(YAMLParser.Stop) {
        guard !properties.hasAnchor else {
            throw refuse(.anchor, event, "anchors are not supported", "remove it, or quote text that starts with '&'")
        }
        // `!` alone only says that libyaml must not guess, which we never let it do.
        guard let tag = properties.tag, tag != "!" else { return }
        guard allowed.contains(where: { tag == Self.core + $0 }) else {
            throw refuse(.tag, event, "this tag is not supported", "remove it, or quote text that starts with '!'")
        }
    }

    private func isText(_ tag: String?) -> Bool {
        tag == "!" || tag == Self.core + "str"
    }

    private func refuse(
        _ reason: YAMLError.Reason,
        _ event: YAMLEvent,
        _ message: String,
        _ fix: String
    ) -> YAMLParser.Stop {
        .refused(YAMLError(reason, at: event.position, message, fix: fix))
    }

    private static let core = "tag:yaml.org,2002:"
}
