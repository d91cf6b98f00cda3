// nearby-bridge · SPDX-License-Identifier: Apache-2.0

public import NearbyCore

/// What the section `accessories` says about one accessory.
public struct AccessoryConfiguration: Equatable, Sendable {
    /// How the accessory speaks.
    public enum Reporting: String, Sendable {
        /// All the time.
        case stream
        /// On change only.
        case byException = "by_exception"
    }

    /// The identifier: one topic level.
    public var id: String
    /// Name for people.
    public var name: String?
    /// Metres, added after scaling.
    public var distanceOffset = 0.0
    /// Factor for each distance.
    public var distanceScale = 1.0
    /// Format of its reports, as in the configuration; `auto` recognises them.
    public var format = "auto"
    /// How it speaks.
    public var reports = Reporting.stream
    /// Without a valid report for so long, a peer is lost; `nil` leaves it to the zones and the bridge.
    public var lostAfter: Patience?
    /// Who makes shareable configuration data; `nil` leaves it to the bridge.
    public var shareable: ShareableMode?
    /// What it can; `nil` leaves it to what it says itself.
    public var capabilities: Capabilities?
    /// Where it stands, in metres; without a third coordinate, heights do not count.
    public var position: [Double]?
    /// Whether ranging must be allowed; `nil` leaves it to the bridge.
    public var authorization: Authorization?
    /// How it measures; `nil` believes what it says.
    public var technology: Technology?
    /// Whether a phone runs its session in the background; `nil` believes what it says.
    public var isBackground: Bool?
    /// What it overrides, by the zone's name.
    public var zones: [String: ZoneOptions] = [:]
    /// Its configured peers in the order of the file.
    public var peers: [PeerConfiguration] = []

    /// Creates an accessory with defaults.
    public init(id: String) {
        self.id = id
    }
}
