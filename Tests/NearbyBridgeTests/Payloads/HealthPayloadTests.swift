// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyBridge
@testable import NearbyCore

struct HealthPayloadTests {
    /// A payload in which every figure differs.
    private var sample: HealthPayload {
        var payload = HealthPayload()
        payload.accessories = 1
        payload.eventsDropped = 2
        payload.eventsExpired = 3
        payload.outboxBytes = 4
        payload.outboxMessages = 5
        payload.received = 6
        payload.published = 7
        payload.reconnects = 8
        payload.stalls = 9
        payload.reportRate = 10.25
        payload.uptime = 11.04
        payload.counters.reports = 12
        payload.eventsExpiredBefore = 100
        payload.storeFailures = 28
        payload.sessionsLost = 29
        payload.counters.withoutMeasurement = 13
        payload.counters.gated = 14
        payload.counters.duplicates = 15
        payload.counters.late = 16
        payload.counters.malformed = 17
        payload.counters.tooLarge = 18
        payload.counters.rateLimited = 19
        payload.counters.retained = 20
        payload.counters.refusedAccessories = 21
        payload.counters.refusedPeers = 22
        payload.counters.events = 23
        payload.counters.malformedMessages = 24
        payload.counters.oldRun = 25
        payload.counters.outsideSession = 26
        payload.counters.suspended = 27
        payload.counters.sparse = 30
        payload.counters.withoutReport = 31
        payload.counters.unawaitedShareable = 32
        return payload
    }

    @Test func `health tells every figure, with sorted keys`() {
        var json = JSONWriter()
        sample.write(into: &json)
        #expect(JSONText.fault(json.bytes) == nil)
        #expect(
            String(decoding: json.bytes, as: UTF8.self)
                == #"{"accessories":1,"dropped":{"duplicate":15,"events_expired":103,"events_outbox_full":2,"gated":14,"#
                + #""late":16,"malformed":17,"malformed_message":24,"no_measurement":13,"no_report":31,"old_run":25,"#
                + #""outside_session":26,"rate_limited":19,"refused_accessory":21,"#
                + #""refused_peer":22,"retained_report":20,"suspended":27,"too_large":18,"unawaited_shareable":32},"events":23,"#
                + #""mqtt":{"published":7,"received":6,"reconnects":8,"sessions_lost":29},"outbox":{"bytes":4,"messages":5},"#
                + #""report_rate":10.3,"reports":12,"sparse_reports":30,"stalls":9,"store_failures":28,"uptime":11,"v":1,"version":"\#(Version.text)"}"#
        )
    }
}
