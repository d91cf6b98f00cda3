// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What a FiRa radio is told that the bridge drives as the other end of an accessory's session.
public struct RadioCommand: Hashable, Sendable {
    /// What to do.
    public enum Kind: Hashable, Sendable {
        /// Range with the accessory, instead of whatever the radio ran for it before.
        case configureAndStart(FiRaSession)
        /// End the session; without an id it is one that an earlier life of the bridge began.
        case stop(sessionID: UInt32?)
    }

    /// The accessory's identifier.
    public var accessory: String
    /// The radio's name among the accessory's peers.
    public var peer: String
    /// What to do.
    public var kind: Kind
    /// The run it belongs to.
    public var run: Int64
}
