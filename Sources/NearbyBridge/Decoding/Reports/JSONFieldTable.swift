// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// What the JSON of a format of reports is known to have.
struct JSONFieldTable: Sendable {
    /// Its fields, with paths from the object of one report.
    var fields: [KnownField]
    /// The lists that such objects may stand in.
    var lists: [String] = []

    /// Every value of a JSON text, the known ones with what they mean.
    func fields(of leaves: [JSONLeaves.Leaf], in payload: [UInt8]) -> [ReportField] {
        let present = Set(leaves.map(\.pattern))
        return leaves.map { leaf in
            let text = String(decoding: payload[leaf.range], as: UTF8.self)
            var field = ReportField(range: leaf.range, place: leaf.path, name: nil)
            guard let known = known(leaf) else {
                field.meaning = "not used"
                if let intended = intended(leaf, among: present) {
                    field.warning = "unknown, did you mean \(intended)?"
                }
                return field
            }
            (field.value, field.warning) = known.meaning.read(text)
            (field.name, field.meaning) = (known.name, known.note)
            return field
        }
    }

    private func known(_ leaf: JSONLeaves.Leaf) -> KnownField? {
        let (path, pattern) = (relative(leaf.path), relative(leaf.pattern))
        return fields.first { $0.path == path || $0.path == pattern }
    }

    /// A path from the object of one report, whatever list that stands in.
    private func relative(_ path: String) -> String {
        var rest = path[...]
        for list in [""] + lists where rest.hasPrefix(list + "[") {
            guard let close = rest.dropFirst(list.count).firstIndex(of: "]") else { continue }
            let behind = rest[rest.index(after: close)...]
            guard behind.first == "." else { continue }
            rest = behind.dropFirst()
            break
        }
        return String(rest)
    }

    /// The known key that an unknown one probably stands for: one that its object does not have.
    private func intended(_ leaf: JSONLeaves.Leaf, among present: Set<String>) -> String? {
        guard let object = leaf.object else { return nil }
        let key = String(leaf.pattern.dropFirst(object.isEmpty ? 0 : object.count + 1))
        let prefix = relative(leaf.pattern).dropLast(key.count)
        let missing = fields.filter {
            $0.path == prefix + $0.key && !present.contains((object.isEmpty ? "" : object + ".") + $0.key)
        }
        let keys = missing.map(\.key)
        let begun = keys.first { key.utf8.count >= 3 && $0.hasPrefix(key.lowercased()) }
        // Short keys are near to each other by accident.
        return begun ?? (key.utf8.count < 4 ? nil : NearestName.of(key, in: keys))
    }
}
