// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What an accessory says of itself in the JSON around its configuration data (CONTRACT section 2.1).
public struct AccessoryAnnouncement: Equatable, Sendable {
    /// A name for people; the configuration's goes first.
    public var name: String?
    /// How it measures.
    public var technology: Technology?
    /// The session id that the anchors of a downlink TDoA site have.
    public var networkIdentifier: UInt32?
    /// What it can; the configuration's goes first.
    public var capabilities: Capabilities?

    /// Creates an announcement that says nothing.
    public init() {}

    /// What a payload says; bytes and plain text say nothing.
    init(_ payload: ConfigurationPayload) {
        name = payload.name
        technology = payload.technology
        networkIdentifier = payload.networkIdentifier
        capabilities = payload.capabilities
    }

    /// Whether it says nothing.
    public var isEmpty: Bool { self == AccessoryAnnouncement() }

    /// The announcement as it may stand in payloads, whoever has written it.
    var checked: AccessoryAnnouncement {
        var checked = self
        if let name, !ConfigurationPayload.isName(name) { checked.name = nil }
        return checked
    }
}
