// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyBridge
@testable import NearbyCore

struct SessionEventPayloadTests {
    private static let common = ["accessory", "at", "id", "published_at", "seq", "type", "v"]

    @Test(
        arguments: [
            (.started(run: 2), "session_started", ["run"]),
            (.ended(run: 2, reason: .requested), "session_ended", ["reason", "run"]),
            (.timeout(run: 2, stage: .start), "session_timeout", ["hint", "run", "stage"]),
            (
                .retry(attempt: 1, maximum: 5, delay: .milliseconds(1200), rung: .newSession), "session_retry",
                ["attempt", "delay", "max_attempts", "rung"]
            ),
            (.suspended(reason: .requested), "session_suspended", ["reason"]),
            (.resumed(reason: .requested), "session_resumed", ["reason"]),
            (
                .invalidated(reason: .error(.sessionFailed), code: -5887, isRecoverable: true), "session_invalidated",
                ["code", "hint", "reason", "recoverable"]
            ),
            (
                .configurationRequired(reason: .error(.invalidConfiguration)), "configuration_required",
                ["hint", "reason"]
            ),
            (
                .convergence(Convergence(status: .notConverged, reasons: .insufficientMovement)), "convergence",
                ["hint", "reasons", "status"]
            ),
            (.convergence(Convergence(status: .converged)), "convergence", ["reasons", "status"]),
            (.configurationRejected(reason: "cut", hint: "MTU"), "configuration_rejected", ["hint", "reason"]),
        ] as [(SessionEvent.Kind, String, [String])]
    )
    func `an event has its fields, sorted, and room for the time of publishing`(
        _ kind: SessionEvent.Kind,
        _ type: String,
        _ extra: [String]
    ) {
        for peer in [nil, "alice"] {
            let event = SessionEvent(
                accessory: "lamp",
                peer: peer,
                sequence: 7,
                at: Instant(nanoseconds: 5_000_000),
                kind: kind
            )
            var json = JSONWriter()
            let stamp = SessionEventPayload.write(event, WallTime(origin: 0), into: &json)
            #expect(JSONText.fault(json.bytes) == nil)
            let object = JSONText.object(json.bytes)
            #expect(object?.keys.sorted() == (Self.common + extra + (peer == nil ? [] : ["peer"])).sorted())
            #expect(object?["type"] as? String == type)
            #expect(object?["id"] as? String == (peer == nil ? "lamp:7" : "lamp/alice:7"))
            #expect(object?["at"] as? String == "1970-01-01T00:00:00.005Z")
            let stamped = String(decoding: json.bytes[stamp..<stamp + Timestamp.length], as: UTF8.self)
            #expect(stamped == object?["published_at"] as? String)
        }
    }
}
