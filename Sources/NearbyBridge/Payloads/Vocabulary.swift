// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

// The words that payloads use for the engine's values (CONTRACT section 4).

extension ZoneState {
    var word: String {
        switch self {
        case .unknown: "unknown"
        case .outside: "outside"
        case .inside: "inside"
        }
    }

    /// The state of a word, `nil` for any other word.
    init?(word: String) {
        guard let state = ZoneState.allCases.first(where: { $0.word == word }) else { return nil }
        self = state
    }
}

extension ZoneExitReason {
    var word: String {
        switch self {
        case .left: "left"
        case .lost: "lost"
        case .sessionEnded: "session_ended"
        case .suspended: "suspended"
        case .zoneDisabled: "zone_disabled"
        case .accessoryRemoved: "accessory_removed"
        case .memberRemoved: "member_removed"
        }
    }
}

extension MeasurementKind {
    var word: String {
        switch self {
        case .none: "none"
        case .distance: "distance"
        case .distanceAndDirection: "distance_and_direction"
        }
    }
}

extension Motion {
    var word: String {
        switch self {
        case .still: "still"
        case .approaching: "approaching"
        case .receding: "receding"
        }
    }
}

extension SessionState {
    var word: String {
        switch self {
        case .idle: "idle"
        case .ended: "ended"
        case .invalidated: "invalidated"
        case .awaitingAuthorization: "awaiting_authorization"
        case .external: "external"
        case .suspended: "suspended"
        case .silent: "silent"
        case .retrying: "retrying"
        case .awaitingConfiguration: "awaiting_configuration"
        case .configuring: "configuring"
        case .starting: "starting"
        case .ranging: "ranging"
        }
    }

    /// The state of a word, `nil` for any other word.
    init?(word: String) {
        guard let state = SessionState.allCases.first(where: { $0.word == word }) else { return nil }
        self = state
    }
}

extension RetryPolicy.Rung {
    var word: String {
        switch self {
        case .rerun: "rerun"
        case .reinitialize: "reinitialize"
        case .newSession: "new_session"
        }
    }
}

extension RangeReport.Vertical {
    var word: String {
        switch self {
        case .unknown: "unknown"
        case .same: "same"
        case .above: "above"
        case .below: "below"
        case .aboveOrBelow: "above_or_below"
        }
    }
}

extension BridgeNotice.Refusal {
    var word: String {
        switch self {
        case .invalidIdentifier: "invalid_identifier"
        case .tooManyAccessories: "too_many_accessories"
        case .notAllowed: "not_allowed"
        case .notApproved: "not_approved"
        case .blocked: "blocked"
        }
    }

    /// What to do about it.
    var advice: String {
        switch self {
        case .invalidIdentifier: "an accessory id is one topic level of 1 to 64 of A–Z a–z 0–9 . _ : -"
        case .tooManyAccessories: "raise limits.accessories if these are yours"
        case .notAllowed: "list it under accessories, or set join: open"
        case .notApproved: "approve it by the request accessory/approve, or permit_join"
        case .blocked: "the request accessory/approve lets it in again"
        }
    }
}
