// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What the engine wants done.
///
/// Effects are carried out in order, within the turn of the loop that made them.
public enum BridgeEffect: Equatable, Sendable {
    /// Publish an event, once and never retained.
    case event(ZoneEvent)
    /// Publish an event of a session, once and never retained.
    case sessionEvent(SessionEvent)
    /// Send a data-channel message to an accessory. It may hold key material: never logged, never retained.
    case command(AccessoryCommand)
    /// Tell a FiRa radio its part of a session. It may hold key material: never logged, never retained.
    case radio(RadioCommand)
    /// Give a phone an accessory's configuration data, once and never retained.
    case phoneConfiguration(PhoneConfiguration)
    /// Give a phone the discovery token of another, once and never retained. Never logged, never stored.
    case peerToken(PeerToken)
    /// What a phone may read from an accessory's Bluetooth characteristic changed.
    case characteristic(AccessoryIndex)
    /// The retained word of one zone changed.
    case zone(StreamID, zone: Int)
    /// The retained snapshot is due; `isChange` for a change of zone, session, measurement or motion.
    case state(StreamID, isChange: Bool)
    /// The retained session changed.
    case session(StreamID)
    /// Tell about an accessory on `bridge/event`.
    case notice(BridgeNotice)
    /// A permission to range was given or taken back: keep that.
    case grantChanged(accessory: String, peer: String?)
    /// An accessory is gone with all its peers: clear what is retained of it.
    case removed(accessory: String, peers: [String])
    /// A stream is gone: clear what is retained of it.
    case forgotten(accessory: String, peer: String)
    /// A zone is gone or disabled for a stream: clear its word.
    case zoneGone(accessory: String, peer: String?, zone: String)
    /// A peer has another name: clear what is retained under the old one.
    case peerRenamed(accessory: String, from: String, to: String)
    /// There are other zones: everything retained is to be published again.
    case zonesChanged
    /// Publish an event of a group, once and never retained.
    case groupEvent(GroupEvent)
    /// The retained word of one zone of a group changed.
    case groupZone(group: String, zone: String)
    /// The retained snapshot of a group is due.
    case groupState(String)
    /// A group is gone, and with it who was nearest to these: clear what is retained of it.
    case groupGone(String, peers: [String])
    /// A zone is gone for a group: clear its word.
    case groupZoneGone(group: String, zone: String)
    /// Another accessory is the nearest of somebody.
    case nearest(group: String, peer: String)
    /// Nobody of this name is known in a group any more: clear what is retained of the nearest accessory.
    case nearestGone(group: String, peer: String)
    /// Something a person should read in the log.
    case complaint(Complaint)
}

/// A data-channel message on its way to an accessory.
public struct AccessoryCommand: Equatable, Sendable {
    /// The accessory's identifier.
    public var accessory: String
    /// The named peer whose session it is about.
    public var peer: String?
    /// The message.
    public var command: SessionOutput.Command
    /// The run it belongs to.
    public var run: Int64
    /// As bytes, or as JSON for an accessory that writes text.
    public var isBinary: Bool
}

/// An accessory's configuration data on its way to a phone, which is to make shareable configuration data of it.
public struct PhoneConfiguration: Equatable, Sendable {
    /// The accessory's identifier.
    public var accessory: String
    /// The phone's name.
    public var peer: String
    /// What the accessory sent.
    public var configuration: AccessoryConfigurationData
    /// The run that awaits the answer.
    public var run: Int64
}

/// News of the accessories as such.
public struct BridgeNotice: Equatable, Sendable {
    /// What happened.
    public enum Kind: Equatable, Sendable {
        /// It was taken, and is known from now on.
        case accessoryJoined
        /// Somebody let it join.
        case accessoryApproved
        /// Somebody removed it.
        case accessoryRemoved
        /// It was turned away.
        case accessoryRefused(Refusal)
    }

    /// Why an accessory was refused.
    public enum Refusal: UInt8, Sendable {
        /// Not one topic level of 1–64 of `A–Z a–z 0–9 . _ : -`.
        case invalidIdentifier
        /// `limits.accessories` is reached.
        case tooManyAccessories
        /// `join` does not let it in.
        case notAllowed
        /// It waits for approval.
        case notApproved
        /// Somebody blocked it.
        case blocked
    }

    /// What happened.
    public var kind: Kind
    /// The identifier as it came, at most 64 bytes of it.
    public var accessory: String
    /// When.
    public var at: Instant
}

/// A fault in what an accessory sent.
///
/// At most one a minute for each accessory, foreign topic, device or port; the rest is counted.
public struct Complaint: Equatable, Sendable {
    /// What was wrong.
    public enum Kind: Equatable, Sendable {
        /// A payload, or one report in it.
        case report(ReportError)
        /// Longer than `limits.payload`.
        case payloadTooLarge(bytes: Int)
        /// More than `limits.report_rate`.
        case tooManyReports
        /// More than `limits.peers`.
        case tooManyPeers
        /// A report names a person, who is not measured: the devices are.
        case peerIsPerson
        /// Neither topic, configuration nor payload says whose report it is.
        case noAccessory
        /// Nothing that came so far was a report of its format; what it looks like, if it looks like something.
        case nothingUnderstood(format: RangeFormat, seeming: RangeFormat?)
        /// More anchors than any site has: this one is not learned.
        case tooManyAnchors
        /// A position, and nobody knows where an anchor stands.
        case positionWithoutAnchors
        /// A position, and nobody knows where the accessory stands.
        case positionWithoutPlace
        /// Reports come so far apart that `lost_after` takes silence for loss; told once.
        case sparseReports(pause: Duration, lostAfter: Duration)
        /// Configuration data that cannot be used; also told as an event.
        case configuration(CodecError)
        /// A data-channel message, or a phone's shareable configuration data, that cannot be read.
        case message(CodecError)
        /// A radio cannot take its part of a run.
        case radio(FiRaSession.Refusal)
        /// Shareable configuration data that no run can use.
        case shareable(ShareableFault)
        /// A discovery token that no pair can use.
        case token(TokenFault)
        /// Another accessory is called so on the air.
        case identifierTaken
    }

    /// Why a discovery token does not count.
    public enum TokenFault: Sendable, CaseIterable {
        /// The broker has kept it: it tells an identity to whoever comes.
        case isRetained
        /// It is for the phone itself, or for nobody that could have a name.
        case isNoPair
        /// The two range each other as accessory and phone.
        case isOtherSession
    }

    /// Why shareable configuration data does not count.
    public enum ShareableFault: Sendable, CaseIterable {
        /// The broker has kept it: it is of another run.
        case isRetained
        /// No session of that phone awaits any.
        case isNotAwaited
        /// The same as in an earlier run.
        case isOfEarlierRun
    }

    /// What the text in `accessory` names.
    public enum Subject: Sendable {
        /// An accessory.
        case accessory
        /// A foreign topic.
        case topic
        /// A device or port.
        case input
    }

    /// Which accessory, or the foreign topic, or the device or port.
    public var accessory: String
    /// What was wrong.
    public var kind: Kind
    /// How many faults of this accessory were swallowed since the last complaint.
    public var suppressed: Int
    /// What is named.
    public var subject = Subject.accessory
}

/// Effects in order, in memory that is used again.
public struct EffectBuffer: Sendable {
    /// The effects so far.
    public private(set) var effects: [BridgeEffect] = []

    /// Creates an empty buffer.
    public init() {}

    /// Whether there is nothing to do.
    public var isEmpty: Bool { effects.isEmpty }

    /// Gives zones their new places in effects that name one; those of zones that are no more are dropped.
    mutating func renumberZones(_ places: [Int?]) {
        effects = effects.compactMap { effect in
            guard case .zone(let stream, let zone) = effect else { return effect }
            return places[zone].map { .zone(stream, zone: $0) }
        }
    }

    /// Adds an effect.
    public mutating func append(_ effect: BridgeEffect) {
        effects.append(effect)
    }

    /// Empties the buffer and keeps its memory.
    public mutating func removeAll() {
        effects.removeAll(keepingCapacity: true)
    }
}
