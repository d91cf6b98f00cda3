// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// The identifier by which a consumer knows an event that is sent twice (CONTRACT section 4.2).
public enum EventIdentifier {
    /// `<id>[/<peer>]:<seq>`.
    public static func text(_ accessory: String, _ peer: String?, _ sequence: Int64) -> String {
        peer.map { "\(accessory)/\($0):\(sequence)" } ?? "\(accessory):\(sequence)"
    }

    /// What stands in the place of the accessory for a group: no accessory can be called so.
    public static func group(_ group: String) -> String { "group/\(group)" }
}
