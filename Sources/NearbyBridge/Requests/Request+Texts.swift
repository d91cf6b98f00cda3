// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What several requests say when a field does not name anything.
extension Request {
    static let accessoryMissing = "accessory: missing; name the accessory, such as {\"accessory\":\"lamp\"}"

    static func unknown(accessory name: String) -> String {
        "accessory: \(PlainText.quote(name)) is not known; bridge/accessories lists those that are"
    }

    static func unknown(peer: String, of accessory: String) -> String {
        "peer: \(PlainText.quote(peer)) is not known to \(PlainText.quote(accessory))"
    }

    static func unknown(zone: String, among known: [String]) -> String {
        "zone: \(PlainText.quote(zone)) is not known; \(NearestName.hint(zone, in: known))"
    }
}
