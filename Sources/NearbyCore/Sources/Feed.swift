// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// The number of a foreign topic, device or port that reports come in on.
///
/// Valid until the engine forgets its feeds, so it is asked for with every message.
public struct FeedIndex: Equatable, Sendable {
    let rawValue: Int

    init(_ rawValue: Int) {
        self.rawValue = rawValue
    }
}

/// Where in a foreign topic its names stand.
public struct FeedLevels: Equatable, Sendable {
    /// The bytes that name the accessory, if any do.
    public var accessory: Range<Int>?
    /// The bytes that name the peer.
    public var peer: Range<Int>?
    /// The bytes that name the anchor to which the topic belongs.
    public var anchor: Range<Int>?

    /// Levels that name nobody.
    public init() {}
}

/// One foreign topic, device or port: what its levels say, and what its last message left unfinished.
struct Feed: Sendable {
    /// The place of its source.
    var source: Int
    /// Who the accessory is, if topic or configuration say so.
    var accessory: [UInt8]?
    /// Who the peer is, if topic or configuration say so.
    var peer: [UInt8]?
    /// Which anchor the topic belongs to, if it says so.
    var anchor: [UInt8]?
    /// The topic, for complaints; of a device or port its name.
    var topic: [UInt8]
    /// Whether it is a device or port.
    var isInput = false
    /// The beginning of a packet or line whose end is still to come, and the row of its format.
    var unfinished: (row: Int, bytes: [UInt8])?
    /// The earliest moment for the next complaint.
    var nextComplaint = Instant.distantPast
    var suppressedComplaints = 0
}

/// Where a report message came from.
enum ReportOrigin {
    /// The topic of an accessory.
    case accessory(Int)
    /// A foreign topic; a retained message there tells of the past.
    case feed(Int, isRetained: Bool)
}
