// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What can happen to a session besides the passing of time.
public enum SessionInput: Equatable, Sendable {
    /// The accessory sent its configuration data; retained if the broker had kept it.
    case configuration(AccessoryConfigurationData, isRetained: Bool)
    /// The phone at the other end gave its shareable configuration data.
    case shareable(ShareableConfigurationData)
    /// The accessory says that it started: a hint, never a proof.
    case didStart
    /// The accessory says that it stopped.
    case didStop
    /// A valid range of the current run.
    case range
    /// The accessory, or its relay, is there or gone.
    case availability(isOnline: Bool)
    /// Somebody wants it to run.
    case start
    /// Somebody wants it to end.
    case stop
    /// Somebody wants it to pause.
    case suspend
    /// Somebody wants it to go on after a pause.
    case resume
    /// It is over by an error, with its Nearby Interaction number if there is one.
    case invalidate(code: Int?)
    /// The other end, or the accessory's radio, told how the run stands.
    case signal(RangeReport.Signal)
    /// The accessory has Bluetooth Channel Sounding, by its identifiers if it told them: nothing is exchanged.
    case channelSounding(BluetoothIdentifiers?, isRetained: Bool)
    /// The accessory is paired with a phone, which runs the session by itself.
    case paired
    /// The accessory is run by commands after all.
    case commanded
    /// A phone gave its discovery token for the other phone of a pair: another one than before, or the same again.
    case token(isNew: Bool)
    /// We can see again: every deadline counts anew, in full.
    case sighted
    /// A person has allowed it.
    case authorized
    /// Nobody allows it, or nobody any more.
    case unauthorized
    /// One of the sessions that may run has ended: there is a place for it.
    case place
}

/// What a session wants done, in order.
public enum SessionOutput: Equatable, Sendable {
    /// Send a data-channel message to the accessory.
    case send(Command)
    /// Give the phone at the other end the accessory's configuration data: its shareable configuration data is awaited.
    case ask(AccessoryConfigurationData)
    /// Give each phone of a pair the other's discovery token.
    case exchange
    /// The discovery tokens of a pair are of no use any more.
    case forgetTokens
    /// Tell what happened.
    case event(SessionEvent.Kind)
    /// What the peer was inside of ends with this reason.
    case leaveZones(ZoneExitReason)
    /// The session topic changed.
    case changed

    /// A data-channel message to the accessory.
    public enum Command: Equatable, Sendable {
        /// 0x0A: send your configuration data.
        case initialize
        /// 0x0B: start with these parameters.
        case configureAndStart(ShareableConfigurationData)
        /// 0x0C.
        case stop
    }
}

/// An event of a session (CONTRACT section 4.2).
public struct SessionEvent: Equatable, Sendable {
    /// Which deadline passed.
    public enum Stage: UInt8, Sendable, CaseIterable {
        /// `initialize` was not answered.
        case configuration
        /// The phone did not give its shareable configuration data.
        case shareable
        /// `configureAndStart` brought no valid range.
        case start
        /// Valid ranges stopped coming.
        case ranging
    }

    /// What happened.
    public enum Kind: Equatable, Sendable {
        /// The first valid range proved the run.
        case started(run: Int64)
        /// The session is over.
        case ended(run: Int64, reason: SessionReason)
        /// A stage lasted too long.
        case timeout(run: Int64, stage: Stage)
        /// Another attempt is made after `delay`.
        case retry(attempt: Int, maximum: Int, delay: Duration, rung: RetryPolicy.Rung)
        /// The session pauses.
        case suspended(reason: SessionReason)
        /// The session goes on after a pause.
        case resumed(reason: SessionReason)
        /// The session is over by an error, with its Nearby Interaction number if there is one.
        case invalidated(reason: SessionReason, code: Int?, isRecoverable: Bool)
        /// Only different configuration data helps.
        case configurationRequired(reason: SessionReason)
        /// A phone's camera assistance has come farther, or less far.
        case convergence(Convergence)
        /// A person has to allow it first.
        case authorizationRequired(reason: SessionReason)
        /// Configuration data, of the accessory or of a phone, could not be read.
        case configurationRejected(reason: String, hint: String)
    }

    /// The accessory's identifier.
    public var accessory: String
    /// The peer's identifier; `nil` for the accessory's own stream.
    public var peer: String?
    /// The number of this event in its stream.
    public var sequence: Int64
    /// When it was decided.
    public var at: Instant
    /// What happened.
    public var kind: Kind
}

/// Why a session is as it is.
public enum SessionReason: Equatable, Sendable {
    /// The accessory said that it stopped.
    case accessoryStopped
    /// The accessory has been offline for longer than `offline_grace`.
    case accessoryOffline
    /// The other side ended it.
    case peerEnded
    /// The other side paused it.
    case peerSuspended
    /// The other side goes on after a pause that it made.
    case peerResumed
    /// Somebody asked for it.
    case requested
    /// The accessory sent different configuration data.
    case newConfiguration
    /// The retry ladder has ended.
    case retriesExhausted
    /// Suspended for longer than `timeouts.suspended`.
    case suspendedTooLong
    /// Two phones need each other's discovery token once more.
    case tokensNeeded
    /// A deadline passed.
    case timeout(SessionEvent.Stage)
    /// Nobody has allowed it yet.
    case notAuthorized
    /// Many sessions begin at once, and this one soon.
    case waitsForTurn
    /// A Nearby Interaction error.
    case error(NearbyError)
    /// An error without a known number.
    case unknownError

    /// The word in payloads.
    public var word: String {
        switch self {
        case .accessoryStopped: "accessory_stopped"
        case .accessoryOffline: "accessory_offline"
        case .peerEnded: "peer_ended"
        case .peerSuspended: "peer_suspended"
        case .peerResumed: "peer_resumed"
        case .requested: "requested"
        case .newConfiguration: "new_configuration"
        case .retriesExhausted: "retries_exhausted"
        case .suspendedTooLong: "suspended_too_long"
        case .tokensNeeded: "tokens_needed"
        case .timeout(let stage): "timeout_\(stage.word)"
        case .notAuthorized: "not_authorized"
        case .waitsForTurn: "waits_for_turn"
        case .error(let error): error.word
        case .unknownError: "unknown_error"
        }
    }

    /// Every reason there is.
    static let all: [SessionReason] =
        [
            .accessoryStopped, .accessoryOffline, .peerEnded, .peerSuspended, .peerResumed, .requested,
            .newConfiguration, .retriesExhausted, .suspendedTooLong, .tokensNeeded, .notAuthorized, .waitsForTurn,
            .unknownError,
        ] + SessionEvent.Stage.allCases.map { .timeout($0) } + NearbyError.allCases.map { .error($0) }

    /// The reason of a word in a payload; `nil` for any other word.
    public init?(word: String) {
        guard let reason = Self.all.first(where: { $0.word == word }) else { return nil }
        self = reason
    }

    /// What a person can do, if there is something to say.
    public var hint: String? {
        switch self {
        case .timeout(.configuration): "the accessory does not answer initialize: is it on and connected?"
        case .timeout(.shareable): "the phone gave no shareable configuration data: is its app in the foreground?"
        case .timeout(.start): "the accessory started no ranging: are channel, preamble and country allowed there?"
        case .timeout(.ranging): "no valid range any more: out of reach, or the way is blocked"
        case .retriesExhausted: "everything was tried; it starts again when the accessory speaks or somebody asks"
        case .peerSuspended: "the other end paused the ranging: it goes on when that end does, or with accessory/resume"
        case .notAuthorized: "nothing ranges before it is allowed: with accessory/approve"
        case .waitsForTurn: "many sessions begin at once; this one does so in its turn"
        case .tokensNeeded: "both phones must send their discovery tokens again: …/peer/<peer>/token"
        case .error(let error): error.hint
        case .accessoryStopped, .accessoryOffline, .peerEnded, .peerResumed, .requested, .newConfiguration,
            .suspendedTooLong, .unknownError:
            nil
        }
    }
}

extension SessionEvent.Stage {
    /// The word in payloads.
    public var word: String {
        switch self {
        case .configuration: "configuration"
        case .shareable: "shareable"
        case .start: "start"
        case .ranging: "ranging"
        }
    }
}
