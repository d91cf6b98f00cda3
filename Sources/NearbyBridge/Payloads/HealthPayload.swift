// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// The payload of `bridge/health`, and the data of the `health` request.
struct HealthPayload: Equatable, Sendable {
    var accessories = 0
    var counters = EngineCounters()
    var eventsDropped = 0
    var eventsExpired = 0
    var outboxBytes = 0
    var outboxMessages = 0
    var received = 0
    var published = 0
    var reconnects = 0
    var stalls = 0
    /// Connections after the first on which the broker had forgotten our session, and what it had kept for us.
    var sessionsLost = 0
    /// Events that an earlier life could not deliver in time.
    var eventsExpiredBefore = 0
    /// Attempts to write to the store that failed.
    var storeFailures = 0
    /// Serial devices and UDP ports.
    var inputs: [InputCounters] = []
    /// Reports a second since the last health message.
    var reportRate = 0.0
    /// Seconds since the process began.
    var uptime = 0.0

    /// Writes the object; keys sorted.
    func write(into json: inout JSONWriter) {
        json.beginObject()
        json.pair("accessories", Int64(accessories))
        json.key("dropped")
        writeDropped(into: &json)
        json.pair("events", Int64(counters.events))
        if !inputs.isEmpty {
            json.key("inputs")
            json.beginArray()
            for input in inputs { input.write(into: &json) }
            json.endArray()
        }
        json.key("mqtt")
        json.beginObject()
        json.pair("published", Int64(published))
        json.pair("received", Int64(received))
        json.pair("reconnects", Int64(reconnects))
        json.pair("sessions_lost", Int64(sessionsLost))
        json.endObject()
        json.key("outbox")
        json.beginObject()
        json.pair("bytes", Int64(outboxBytes))
        json.pair("messages", Int64(outboxMessages))
        json.endObject()
        json.pair("report_rate", reportRate, decimals: 1)
        json.pair("reports", Int64(counters.reports))
        json.pair("sparse_reports", Int64(counters.sparse))
        json.pair("stalls", Int64(stalls))
        json.pair("store_failures", Int64(storeFailures))
        json.pair("uptime", uptime, decimals: 1)
        json.pair("v", 1)
        json.pair("version", Version.text)
        json.endObject()
    }

    /// What did not count, by reason.
    private func writeDropped(into json: inout JSONWriter) {
        json.beginObject()
        json.pair("duplicate", Int64(counters.duplicates))
        json.pair("events_expired", Int64(eventsExpired + eventsExpiredBefore))
        json.pair("events_outbox_full", Int64(eventsDropped))
        json.pair("gated", Int64(counters.gated))
        json.pair("late", Int64(counters.late))
        json.pair("malformed", Int64(counters.malformed))
        json.pair("malformed_message", Int64(counters.malformedMessages))
        json.pair("no_measurement", Int64(counters.withoutMeasurement))
        json.pair("no_report", Int64(counters.withoutReport))
        json.pair("old_run", Int64(counters.oldRun))
        json.pair("outside_session", Int64(counters.outsideSession))
        json.pair("rate_limited", Int64(counters.rateLimited))
        json.pair("refused_accessory", Int64(counters.refusedAccessories))
        json.pair("refused_peer", Int64(counters.refusedPeers))
        json.pair("retained_report", Int64(counters.retained))
        json.pair("suspended", Int64(counters.suspended))
        json.pair("too_large", Int64(counters.tooLarge))
        json.pair("unawaited_shareable", Int64(counters.unawaitedShareable))
        json.endObject()
    }
}
