// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// What a text in the configuration must look like.
public enum TextRule: Sendable, CaseIterable {
    /// Any single line.
    case line
    /// A file or a folder.
    case path
    /// A host name or an address, without scheme and port.
    case host
    /// An MQTT topic to publish under.
    case topic
    /// The first levels of foreign topics.
    case foreignTopic
    /// A foreign topic whose levels may be names in braces.
    case topicPattern
    /// An MQTT client identifier.
    case clientIdentifier
    /// The identifier of an accessory or a peer: one topic level.
    case identifier
    /// An accessory, or `*` for every one.
    case member
    /// The name of a zone.
    case zone
    /// Two capital letters.
    case country
    /// An address of a machine in numbers.
    case address
    /// What is sent to a device: a line, and any CR and LF at its end.
    case sent

    /// The rule in words that follow "expected".
    public var expectation: String {
        switch self {
        case .line: "text of one line, at most 1024 bytes"
        case .path: "a file path"
        case .host: "a host name or an address"
        case .topic: "topic levels without wildcards, empty levels or a leading '$'"
        case .foreignTopic: "topic levels without wildcards and names"
        case .topicPattern: "topic levels, of which one each may be {accessory}, {peer} and {anchor}, and any +"
        case .clientIdentifier: "1 to 200 printable characters without '/', '+' and '#'"
        case .identifier: "1 to 64 of A-Z a-z 0-9 . _ : -"
        case .member: "1 to 64 of A-Z a-z 0-9 . _ : -, or \"*\""
        case .zone: "1 to 32 of a-z 0-9 _, not outside or unknown"
        case .country: "two capital letters"
        case .address: "an address in numbers"
        case .sent: "text of one line, at most 1024 bytes, which CR and LF may end"
        }
    }

    /// A text that follows the rule.
    public var example: String {
        switch self {
        case .line: "text"
        case .path: "/etc/nearby-bridge/file"
        case .host: "localhost"
        case .topic: "nearby"
        case .foreignTopic: "site/uwb"
        case .topicPattern: "\"devices/{peer}/{accessory}\""
        case .clientIdentifier: "nearby-bridge"
        case .identifier, .member: "forklift-17"
        case .zone: "near"
        case .country: "EU"
        case .address: "0.0.0.0"
        case .sent: "stat"
        }
    }

    /// Whether a text follows the rule.
    public func accepts(_ text: String) -> Bool {
        let bytes = text.utf8
        var scalars = text.unicodeScalars[...]
        if self == .sent {
            while let last = scalars.last, last == "\r" || last == "\n" { scalars.removeLast() }
        }
        guard !bytes.isEmpty, bytes.count <= 1024, !scalars.contains(where: Self.isControl) else { return false }
        switch self {
        case .line, .path, .sent: return true
        case .address: return DatagramSocket.isAddress(text)
        case .host:
            return bytes.count <= 253 && bytes.allSatisfy { Self.isIdentifierByte($0) || $0 == UInt8(ascii: "%") }
        case .topic: return bytes.count <= 200 && Self.isTopic(text) && !text.contains { $0 == "{" || $0 == "}" }
        case .foreignTopic: return Self.isTopicPattern(text) && !text.contains { "+{".contains($0) }
        case .topicPattern: return Self.isTopicPattern(text)
        case .clientIdentifier: return bytes.count <= 200 && !text.contains { "/+#".contains($0) }
        case .identifier: return bytes.count <= 64 && bytes.allSatisfy(Self.isIdentifierByte)
        case .member: return text == "*" || Self.identifier.accepts(text)
        case .zone: return bytes.count <= 32 && bytes.allSatisfy(Self.isZoneByte) && !Self.occupancies.contains(text)
        case .country: return bytes.count == 2 && bytes.allSatisfy { 0x41...0x5A ~= $0 }
        }
    }

    /// What the writer may have meant, if the rule lets one tell.
    func guess(_ text: String) -> String? {
        let guess: String
        switch self {
        case .host:
            var rest = text[...]
            if let scheme = rest.firstRange(of: "://") { rest = rest[scheme.upperBound...] }
            if let end = rest.firstIndex(of: "/") { rest = rest[..<end] }
            if let colon = rest.firstIndex(of: ":"), colon == rest.lastIndex(of: ":") { rest = rest[..<colon] }
            guess = String(rest)
        case .topic:
            guess = text.split { "/+#$".contains($0) }.joined(separator: "/")
        case .country:
            guess = text.uppercased()
        case .zone, .identifier, .member:
            let folded = self == .zone ? text.lowercased() : text
            let isKept = self == .zone ? Self.isZoneByte : Self.isIdentifierByte
            guess = String(decoding: folded.utf8.map { isKept($0) ? $0 : UInt8(ascii: "_") }, as: UTF8.self)
        case .line, .path, .foreignTopic, .topicPattern, .clientIdentifier, .address, .sent: return nil
        }
        return accepts(guess) ? guess : nil
    }

    /// The words of zone topics that are no zones.
    private static let occupancies = ["outside", "unknown"]

    private static func isTopic(_ text: String) -> Bool {
        !text.hasPrefix("$")
            && text.split(separator: "/", omittingEmptySubsequences: false)
                .allSatisfy { !$0.isEmpty && isText($0) }
    }

    private static func isText(_ level: Substring) -> Bool { !level.contains { "+#".contains($0) } }

    private static func isTopicPattern(_ text: String) -> Bool {
        // Some products begin their topics with an empty level.
        let levels = text.split(separator: "/", omittingEmptySubsequences: false)
        let named = text.hasPrefix("/") ? levels.dropFirst() : levels[...]
        guard !text.hasPrefix("$"), named.allSatisfy({ !$0.isEmpty && ($0 == "+" || isText($0)) }) else { return false }
        let names = named.filter { $0.contains { "{}".contains($0) } }
        return names.allSatisfy { ["{accessory}", "{peer}", "{anchor}"].contains($0) }
            && Set(names).count == names.count
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
    }

    private static func isIdentifierByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: "-"): true
        default: false
        }
    }

    private static func isZoneByte(_ byte: UInt8) -> Bool {
        0x30...0x39 ~= byte || 0x61...0x7A ~= byte || byte == UInt8(ascii: "_")
    }
}
