// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// The identifier by which a consumer knows an event that is sent twice (CONTRACT section 4.2).
public enum EventIdentifier {
    /// `<id>[/<peer>]:<seq>`.
    public static func text(_ accessory: String, _ peer: String?, _ sequence: Int64) -> String {
        peer.map { "\(accessory)/\($0):\(sequence)" } ?? "\(accessory):\(sequence)"
    }
}
