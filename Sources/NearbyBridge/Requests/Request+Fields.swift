// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// The fields that each command knows.
///
/// A field that no command knows is ignored, as clients send all kinds of things along; but one that is a known field
/// with a slip in it is an error: a grant for sixty seconds must not last for ever because of `tiem`.
extension Request {
    /// The fields of each command, by what follows `request/`; `transaction` is one of all.
    static let fields: [String: [String]] = {
        var fields = [
            "health": [], "snapshot": ["restore"], "permit_join": ["time"],
            "log_level": ["level", "subsystem"],
            "zone/options": ["zone", "accessory", "peer", "options"],
            "zone/explain": ["accessory", "peer", "zone"],
            "accessory/approve": ["accessory", "peer", "time"],
            "accessory/remove": ["accessory", "block"],
            "accessory/rename": ["accessory", "peer", "name"],
            "accessory/options": ["accessory", "peer", "options"],
            "accessory/stop": ["accessory", "peer", "reason"],
            "accessory/invalidate": ["accessory", "peer", "code"],
        ]
        for command in ["start", "suspend", "resume", "revoke"] {
            fields["accessory/\(command)"] = ["accessory", "peer"]
        }
        return fields
    }()

    /// What is wrong with a field that the command does not know, if it is one that it knows with a slip in it.
    static func slip(in names: [String], of command: String) -> String? {
        guard let known = fields[command] else { return nil }
        let missing = (known + ["transaction"]).filter { !names.contains($0) }
        for name in names.sorted() where !known.contains(name) && name != "transaction" {
            guard let meant = NearestName.of(name, in: missing, within: name.count < 8 ? 1 : 2) else { continue }
            return "\(PlainText.plain(name)): no field of \(command); did you mean \(meant)?"
        }
        return nil
    }
}
