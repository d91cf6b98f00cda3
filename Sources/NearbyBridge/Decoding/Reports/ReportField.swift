// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// A value of a payload of range reports: where it stands, and what it means.
struct ReportField: Equatable, Sendable {
    /// Which bytes of the payload it is.
    var range: Range<Int>
    /// Where it stands within its format: a path in JSON, a key or a column elsewhere.
    var place: String
    /// What it is to a report, by the name that the bridge's own JSON has for it; `nil` if it is not used.
    var name: String?
    /// What it holds.
    var value: DecodedField.Value = .none
    /// What that means, empty if there is nothing more to say.
    var meaning = ""
    /// What is unusual.
    var warning: String?
}
