// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// The payload of a session's event on `…/event` (CONTRACT section 4.2).
enum SessionEventPayload {
    /// Writes an event and returns where its time of publishing stands, as `EventPayload` does.
    static func write(_ event: SessionEvent, _ wall: WallTime, into json: inout JSONWriter) -> Int {
        let facts = Facts(event)
        json.beginObject()
        json.pair("accessory", event.accessory)
        json.key("at")
        json.time(unixNanoseconds: wall.unixNanoseconds(of: event.at))
        if let attempt = facts.attempt { json.pair("attempt", Int64(attempt)) }
        if let code = facts.code { json.pair("code", Int64(code)) }
        json.optional("delay", facts.delay)
        json.optional("hint", facts.hint)
        json.pair("id", EventIdentifier.text(event.accessory, event.peer, event.sequence))
        if let maximum = facts.maximum { json.pair("max_attempts", Int64(maximum)) }
        json.optional("peer", event.peer)
        json.key("published_at")
        let stamp = json.bytes.count + 1
        json.time(unixNanoseconds: 0)
        json.optional("reason", facts.reason)
        if let reasons = facts.reasons { json.pair("reasons", reasons) }
        if let isRecoverable = facts.isRecoverable { json.pair("recoverable", isRecoverable) }
        if let run = facts.run { json.pair("run", run) }
        json.optional("rung", facts.rung)
        json.pair("seq", event.sequence)
        json.optional("stage", facts.stage)
        json.optional("status", facts.status)
        json.pair("type", facts.type)
        json.pair("v", 1)
        json.endObject()
        return stamp
    }

    /// What an event is called.
    static func type(of event: SessionEvent) -> String { Facts(event).type }

    /// What a kind of event adds to the fields that all have.
    private struct Facts {
        var type = ""
        var attempt: Int?
        var code: Int?
        var delay: Double?
        var hint: String?
        var maximum: Int?
        var reason: String?
        var reasons: [String]?
        var isRecoverable: Bool?
        var run: Int64?
        var rung: String?
        var stage: String?
        var status: String?

        init(_ event: SessionEvent) {
            switch event.kind {
            case .started(let run):
                type = "session_started"
                self.run = run
            case .ended(let run, let reason):
                type = "session_ended"
                self.run = run
                explain(reason)
            case .timeout(let run, let stage):
                type = "session_timeout"
                self.run = run
                self.stage = stage.word
                hint = SessionReason.timeout(stage).hint
            case .retry(let attempt, let maximum, let delay, let rung):
                type = "session_retry"
                self.attempt = attempt
                self.maximum = maximum
                self.delay = delay.inSeconds
                self.rung = rung.word
            case .suspended(let reason):
                type = "session_suspended"
                explain(reason)
            case .resumed(let reason):
                type = "session_resumed"
                explain(reason)
            case .invalidated(let reason, let code, let isRecoverable):
                type = "session_invalidated"
                self.code = code
                self.isRecoverable = isRecoverable
                explain(reason)
            case .configurationRequired(let reason):
                type = "configuration_required"
                explain(reason)
            case .convergence(let convergence):
                type = "convergence"
                status = convergence.status.word
                reasons = convergence.words
                hint = convergence.hint
            case .authorizationRequired(let reason):
                type = "authorization_required"
                self.reason = reason.word
                let peer = event.peer.map { ",\"peer\":\"\($0)\"" } ?? ""
                hint = "send {\"accessory\":\"\(event.accessory)\"\(peer)} to bridge/request/accessory/approve"
            case .configurationRejected(let reason, let hint):
                type = "configuration_rejected"
                self.reason = reason
                self.hint = hint
            }
        }

        private mutating func explain(_ reason: SessionReason) {
            self.reason = reason.word
            hint = reason.hint
        }
    }
}
