// nearby-bridge · SPDX-License-Identifier: Apache-2.0

internal import YAML

/// Reading values: the type decides what a text means, whether it was quoted or not.
extension ConfigurationType {
    /// Reads a value of a key, or says everything that is wrong with it.
    ///
    /// - Parameters:
    ///   - node: What stands in the text.
    ///   - key: Whose value it is; a secret one is never repeated in a complaint.
    ///   - complaints: Gets what is wrong.
    /// - Returns: The value, `nil` after a complaint.
    func decode(
        _ node: YAMLNode,
        of key: ConfigurationKey,
        complaints: inout [ConfigurationComplaint]
    ) -> ConfigurationValue? {
        switch node.content {
        case .scalar(let text, let isQuoted):
            if case .list = self { break }
            if let value = isQuoted || !Self.nothing.contains(text) ? decode(text) : nil { return value }
            let isNothing = !isQuoted && Self.nothing.contains(text)
            complaints.append(
                ConfigurationComplaint(
                    message: message(
                        found: isNothing ? "nothing" : key.isSecret ? "<redacted>" : PlainText.quote(text)
                    ),
                    fix: isNothing ? "write \(fallback(of: key)), or remove it" : fix(for: text, of: key),
                    position: node.position
                )
            )
            return nil
        case .sequence(let nodes):
            guard case .list(let element, let count) = self else { break }
            let before = complaints.count
            guard count.contains(nodes.count) else { break }
            let values = nodes.compactMap { element.decode($0, of: key, complaints: &complaints) }
            return complaints.count == before ? .list(values) : nil
        case .mapping: break
        }
        complaints.append(
            ConfigurationComplaint(
                message: message(found: node.kind),
                fix: "write \(fallback(of: key))",
                position: node.position
            )
        )
        return nil
    }

    /// Reads a single value.
    private func decode(_ text: String) -> ConfigurationValue? {
        switch self {
        case .boolean: return text == "true" ? .boolean(true) : text == "false" ? .boolean(false) : nil
        case .integer(let range):
            return Decimals.integer(text[...]).flatMap { range.contains($0) ? .integer($0) : nil }
        case .number(let range):
            return Decimals.number(text[...]).flatMap { range.contains($0) ? .number($0) : nil }
        case .duration(let range, let openness):
            if openness == .orNever, text == "never" { return .never }
            return DurationText.read(text[...]).flatMap { range.contains($0) ? .duration($0) : nil }
        case .byteSize(let range):
            return ByteSizeText.read(text[...]).flatMap { range.contains($0) ? .byteSize($0) : nil }
        case .choice(let words, let unbuilt):
            return words.contains(text) || unbuilt.contains(text) ? .text(text) : nil
        case .text(let rule): return rule.accepts(text) ? .text(text) : nil
        case .list: return nil
        }
    }

    private func message(found: String) -> String {
        "expected \(expectation), found \(found)"
    }

    /// The nearest thing to write instead.
    private func fix(for text: String, of key: ConfigurationKey) -> String {
        // A guess may repeat the text that it was made from.
        let guess = key.isSecret ? nil : guess(text)
        return "write \(guess ?? fallback(of: key))"
    }

    /// What to write if nothing can be told from what was written.
    private func fallback(of key: ConfigurationKey) -> String {
        let text = key.type == self ? key.defaultText : nil
        return text ?? example
    }

    private func guess(_ text: String) -> String? {
        let guess: String?
        switch self {
        case .boolean: guess = Self.booleans[text.lowercased()]
        case .integer(let range):
            guess = Decimals.split(text[...]).flatMap { Int(exactly: $0.number.rounded()) }
                .map { String(min(max($0, range.lowerBound), range.upperBound)) }
        case .number: guess = Decimals.split(text[...]).map { String($0.number) }
        case .duration(_, .orNever) where Self.endless.contains(text.lowercased()): guess = "never"
        case .duration: guess = DurationText.guess(text[...])
        case .byteSize: guess = ByteSizeText.guess(text[...])
        case .choice(let words, let unbuilt): guess = NearestName.of(text, in: words + unbuilt)
        case .text(let rule): guess = rule.guess(text)
        case .list: guess = nil
        }
        // A guess that would be refused in its turn helps nobody.
        return guess.flatMap { decode($0) == nil ? nil : $0 }
    }

    /// Unquoted texts that stand for no value in YAML.
    static let nothing = ["", "~", "null", "Null", "NULL"]

    private static let booleans = [
        "on": "true", "yes": "true", "y": "true", "1": "true", "true": "true",
        "off": "false", "no": "false", "n": "false", "0": "false", "false": "false",
    ]

    private static let endless = ["off", "none", "0", "0s", "false", "no", "infinite", "inf", "never"]
}

extension YAMLNode {
    /// What stands here, in words that follow "found".
    var kind: String {
        switch content {
        case .scalar(let text, let isQuoted):
            !isQuoted && ConfigurationType.nothing.contains(text) ? "nothing" : "a single value"
        case .sequence: "a list"
        case .mapping: "a mapping"
        }
    }
}
