// nearby-bridge · SPDX-License-Identifier: Apache-2.0

internal import CMosquitto

/// The rules of MQTT for topics and for the filters that select them.
public enum TopicFilter {
    /// Whether one may publish to it: 1 to 65,535 bytes of proper text without wildcards.
    public static func isValidTopic(_ topic: String) -> Bool {
        unsafe check(topic) { bytes, count in unsafe mosquitto_pub_topic_check2(bytes, count) }
    }

    /// Whether one may subscribe to it: `+` and `#` as whole levels, `#` last; a shared group needs a name.
    public static func isValidFilter(_ filter: String) -> Bool {
        guard let inner = innerFilter(of: filter) else { return false }
        return unsafe check(inner) { bytes, count in unsafe mosquitto_sub_topic_check2(bytes, count) }
            && filter.utf8.count <= 65_535
    }

    /// Whether a valid filter selects a valid topic.
    public static func matches(_ filter: String, topic: String) -> Bool {
        var result = false
        let code = unsafe mosquitto_topic_matches_sub(filter, topic, &result)
        return code == LibraryCode.success && result
    }

    /// The part of a shared filter behind the group, any other filter whole, `nil` for a malformed group.
    private static func innerFilter(of filter: String) -> String? {
        let prefix = "$share/"
        guard filter.hasPrefix(prefix) else { return filter }
        // The broker accepts an empty group and never delivers.
        let rest = filter.dropFirst(prefix.count)
        guard let slash = rest.firstIndex(of: "/") else { return nil }
        let group = rest[..<slash]
        guard !group.isEmpty, !group.contains("+"), !group.contains("#") else { return nil }
        return String(rest[rest.index(after: slash)...])
    }

    /// Whether MQTT can carry it as a name: not empty, proper UTF-8 without control characters.
    static func isProperText(_ text: String) -> Bool { unsafe check(text) { _, _ in 0 } }

    private static func check(_ text: String, _ rule: (UnsafePointer<CChar>, Int) -> Int32) -> Bool {
        let count = text.utf8.count
        guard count >= 1, count <= 65_535, !text.utf8.contains(0) else { return false }
        return unsafe text.withCString { bytes in
            unsafe mosquitto_validate_utf8(bytes, Int32(count)) == 0 && rule(bytes, count) == 0
        }
    }
}
