// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import Testing

@testable import NearbyBridge

struct VocabularyTests {
    @Test func `zones are inside, outside or unknown`() {
        #expect(ZoneState.allCases.map(\.word).sorted() == ["inside", "outside", "unknown"])
        #expect(ZoneState.inside.word == "inside")
        #expect(ZoneState.outside.word == "outside")
        for state in ZoneState.allCases { #expect(ZoneState(word: state.word) == state) }
        for word in ["", "Inside", "inside ", "near"] { #expect(ZoneState(word: word) == nil) }
    }

    @Test func `every reason of an exit has its word`() {
        #expect(
            ZoneExitReason.allCases.map(\.word) == [
                "left", "lost", "session_ended", "suspended", "zone_disabled", "accessory_removed",
                "member_removed",
            ]
        )
    }

    @Test func `measurement, motion and session have their words`() {
        #expect(MeasurementKind.allCases.map(\.word) == ["none", "distance", "distance_and_direction"])
        let motions: [Motion] = [.approaching, .receding, .still]
        #expect(motions.map(\.word) == ["approaching", "receding", "still"])
        #expect(
            SessionState.allCases.map(\.word) == [
                "idle", "ended", "invalidated", "awaiting_authorization", "external", "suspended", "silent", "retrying",
                "awaiting_configuration", "configuring", "starting", "ranging",
            ]
        )
        for state in SessionState.allCases { #expect(SessionState(word: state.word) == state) }
        #expect(SessionState(word: "running") == nil)
    }

    @Test func `vertical directions are those of the reports`() {
        let verticals: [RangeReport.Vertical] = [.same, .above, .below, .aboveOrBelow, .unknown]
        #expect(verticals.map(\.word) == ["same", "above", "below", "above_or_below", "unknown"])
    }

    @Test func `a refusal has a word and says what to do`() {
        let refusals: [BridgeNotice.Refusal] = [.invalidIdentifier, .tooManyAccessories, .notAllowed]
        #expect(refusals.map(\.word) == ["invalid_identifier", "too_many_accessories", "not_allowed"])
        #expect(Set(refusals.map(\.advice)).count == 3)
    }
}
