// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// A value that a format of reports is known to have: a line of the format's table.
struct KnownField: Sendable {
    /// Where it stands: keys joined by dots, `[]` for every element of an array, `[0]` for one of them.
    var path: String
    /// What it is to a report, by the name that the bridge's own JSON has for it.
    var name: String
    /// How it is read.
    var meaning: FieldMeaning
    /// What else there is to say.
    var note = ""

    /// Creates a line of a table.
    init(_ path: String, _ name: String, _ meaning: FieldMeaning, _ note: String = "") {
        (self.path, self.name, self.meaning, self.note) = (path, name, meaning, note)
    }

    /// The last key of the path.
    var key: String {
        String(path.split(separator: ".").last ?? "").split(separator: "[").first.map { String($0) } ?? ""
    }
}
