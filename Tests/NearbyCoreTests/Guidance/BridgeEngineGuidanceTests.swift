// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import NearbyCore

/// The rows of reference/nearby-interaction.md sections 6.3 and 6.4.
@Suite struct BridgeEngineGuidanceTests {
    private static func options(_ capabilities: Capabilities?) -> EngineOptions {
        .plain {
            var lamp = AccessoryOptions()
            lamp.capabilities = capabilities
            $0.accessories["lamp"] = lamp
        }
    }

    private static func state(
        _ capabilities: Capabilities? = nil,
        _ fields: String...,
        distance: Double? = 2
    ) -> StreamState? {
        var scenario = Scenario(options(capabilities))
        for (step, fields) in fields.enumerated() { scenario.send(distance, at: Double(step) / 10, fields: fields) }
        scenario.run(to: Double(fields.count) / 10)
        return scenario.engine.state(of: StreamID(accessory: AccessoryIndex(0)))
    }

    // MARK: Section 6.3, object fields: given and nil

    @Test("distance: given it is available, without any report nothing is said")
    func distance() throws {
        #expect(Self.state(nil, "")?.guidance?.distance == .available)
        var silent = Scenario(.plain())
        silent.availability(true)
        #expect(silent.engine.state(of: StreamID(accessory: AccessoryIndex(0)))?.guidance == nil)
        // A nil distance is a measurement like any other, and says that reports come.
        let none = Self.state(nil, "", distance: nil)
        #expect(none?.distance == nil)
        #expect(none?.guidance?.distance == Guidance.Answer(.noMeasurement))
        #expect(none?.guidance?.direction == Guidance.Answer(.noMeasurement))
    }

    @Test(
        "direction: a vector, an azimuth or a horizontal angle is one",
        arguments: [#","direction":[0,0,-1]"#, #","azimuth":12"#, #","horizontal_angle":0.2"#]
    )
    func direction(_ fields: String) {
        let state = Self.state(nil, fields)
        #expect(state?.guidance?.direction == .available)
        #expect(state?.measurement == .distanceAndDirection)
        // Even of a device that is said to be unable to.
        #expect(Self.state([.preciseDistance], fields)?.guidance?.direction == .available)
    }

    @Test("direction nil: out of view where it is supported, and not an error")
    func outOfView() {
        for capabilities: Capabilities in [.direction, .cameraAssistance, [.direction, .preciseDistance]] {
            let state = Self.state(capabilities, "")
            #expect(state?.guidance?.distance == .available)
            #expect(state?.guidance?.direction.obstacle == .outOfView)
            #expect(state?.guidance?.direction.hint?.isEmpty == false)
            #expect(state?.measurement == .distance)
        }
        // Whoever had one can.
        let turned = Self.state(nil, #","direction":[0,0,-1]"#, "")
        #expect(turned?.direction == nil)
        #expect(turned?.guidance?.direction.obstacle == .outOfView)
        #expect(Self.state(nil, "")?.guidance?.direction == Guidance.Answer(.noMeasurement))
    }

    @Test("horizontalAngle: passed through in radians, nil is absent")
    func horizontalAngle() {
        #expect(Self.state(nil, #","horizontal_angle":-0.5"#)?.horizontalAngle == -0.5)
        #expect(Self.state(nil, #","horizontal_angle":null"#)?.horizontalAngle == nil)
        #expect(Self.state(nil, #","horizontal_angle":-0.5"#, "")?.horizontalAngle == nil)
    }

    @Test(
        "verticalDirectionEstimate: passed through",
        arguments: [
            ("unknown", RangeReport.Vertical.unknown), ("same", .same), ("above", .above), ("below", .below),
            ("above_or_below", .aboveOrBelow),
        ]
    )
    func vertical(_ word: String, _ expected: RangeReport.Vertical) {
        #expect(Self.state(nil, ",\"vertical\":\"\(word)\"")?.vertical == expected)
        #expect(Self.state(nil, #","vertical":null"#)?.vertical == nil)
    }

    @Test("worldTransform: its place is passed through in metres, nil is absent")
    func worldTransform() {
        #expect(Self.state(nil, #","world_position":[1,-2,0.5]"#)?.worldPosition == [1, -2, 0.5])
        let matrix = #","world_transform":[1,0,0,0,0,1,0,0,0,0,1,0,4,5,6,1]"#
        #expect(Self.state(nil, matrix)?.worldPosition == [4, 5, 6])
        #expect(Self.state(nil, #","world_position":null"#)?.worldPosition == nil)
        #expect(Self.state(nil, matrix, "")?.worldPosition == nil)
    }

    @Test("Convergence says why there is no direction, with what to do", arguments: 0..<5)
    func convergence(_ index: Int) {
        let row = Convergence.reasonTable[index]
        let fields = #","convergence":{"status":"not_converged","reasons":["\#(row.word)"]}"#
        let direction = Self.state([.cameraAssistance], fields)?.guidance?.direction
        if row.reason == .insufficientVerticalSweep {
            #expect(direction?.obstacle == .outOfView)
        } else {
            #expect(direction == Guidance.Answer(.notConverged, hint: row.hint))
        }
        #expect(Self.state([.cameraAssistance], fields)?.guidance?.distance == .available)
        // A direction that comes all the same is one.
        #expect(Self.state(nil, fields + #","azimuth":3"#)?.guidance?.direction == .available)
    }

    @Test("Converged, a nil direction is out of view")
    func converged() {
        let fields = #","convergence":{"status":"converged","reasons":[]}"#
        #expect(Self.state([.cameraAssistance], fields)?.guidance?.direction.obstacle == .outOfView)
    }

    // MARK: Section 6.4, capabilities

    @Test(
        "Each capability is told in the state and says what can be measured",
        arguments: Capabilities.names.map(\.key)
    )
    func capability(_ key: String) {
        let capabilities = Capabilities(words: [key])
        #expect(capabilities.words == [key])
        let state = Self.state(capabilities, "")
        #expect(state?.capabilities == capabilities)
        let canAim = key == "direction" || key == "camera_assistance"
        #expect(state?.guidance?.direction.obstacle == (canAim ? .outOfView : .notSupported))
        // Nobody is told that a distance which comes cannot come.
        #expect(state?.guidance?.distance == .available)
        let none = Self.state(capabilities, BridgeEngineConvergenceTests.lighting, distance: nil)
        #expect(none?.guidance?.distance.obstacle == (canAim ? .notSupported : .noMeasurement))
        #expect(none?.guidance?.direction.obstacle == (canAim ? .noMeasurement : .notSupported))
    }

    @Test("Nothing known is nothing told, and no capability at all is told as such")
    func unknown() {
        #expect(Self.state(nil, "")?.capabilities == nil)
        #expect(Self.state([], "")?.capabilities == [])
        #expect(Self.state([], "")?.guidance?.direction == Guidance.directionNotSupported)
    }

    @Test("A peer's capabilities go before its accessory's")
    func peers() {
        var options = Self.options([.preciseDistance])
        options.accessories["lamp"]?.peers["0x0001"] = PeerOptions()
        options.accessories["lamp"]?.peers["0x0001"]?.name = "alice"
        options.accessories["lamp"]?.peers["0x0001"]?.capabilities = [.preciseDistance, .direction]
        var scenario = Scenario(options)
        scenario.send(2, at: 0, peer: "0x0001")
        scenario.send(3, at: 0.1, peer: "bob")
        scenario.run(to: 1)
        #expect(scenario.retained(peer: "alice")?.capabilities == [.preciseDistance, .direction])
        #expect(scenario.retained(peer: "alice")?.guidance?.direction.obstacle == .outOfView)
        #expect(scenario.retained(peer: "bob")?.capabilities == [.preciseDistance])
        #expect(scenario.retained(peer: "bob")?.guidance?.direction.obstacle == .notSupported)
        #expect(scenario.retained()?.capabilities == [.preciseDistance])
        #expect(scenario.retained()?.guidance?.direction.obstacle == .outOfView)
    }

    @Test("Capabilities can change while it runs, and are told at once")
    func live() {
        var scenario = Scenario(Self.options(nil))
        scenario.send(2, at: 0)
        scenario.run(to: 1)
        scenario.input(.options(Self.options([.preciseDistance])))
        #expect(scenario.retained()?.capabilities == [.preciseDistance])
        #expect(scenario.retained()?.guidance?.direction.obstacle == .notSupported)
        #expect(scenario.violations == [])
    }

    // MARK: Why nothing comes

    @Test("After silence there is no report; where reports measure nothing there is no measurement")
    func silence() {
        var scenario = Scenario(.plain())
        scenario.send(2, at: 0)
        scenario.run(to: 9)
        #expect(scenario.retained()?.guidance?.distance == .available)
        scenario.run(to: 11)
        #expect(scenario.retained()?.guidance?.distance == Guidance.Answer(.noReport))
        #expect(scenario.retained()?.guidance?.direction == Guidance.Answer(.noReport))
        scenario.send(nil, at: 12)
        scenario.run(to: 12)
        #expect(scenario.retained()?.guidance?.distance == Guidance.Answer(.noMeasurement))
        scenario.send(2, at: 13)
        scenario.run(to: 13)
        #expect(scenario.retained()?.guidance?.distance == .available)
        for step in 0..<30 { scenario.send(nil, at: 13.5 + Double(step) / 2) }
        scenario.run(to: 24)
        #expect(scenario.retained()?.guidance?.distance == Guidance.Answer(.noMeasurement))
        #expect(scenario.violations == [])
    }

    @Test("A session that is not ranging is the reason, with what to do")
    func session() {
        var scenario = BridgeEngineSessionsTests.ranging()
        #expect(scenario.retained()?.guidance?.distance == .available)
        scenario.ask(.suspend)
        let suspended = scenario.retained()?.guidance
        #expect(suspended?.distance.obstacle == .session)
        #expect(suspended?.distance.hint?.contains("accessory/resume") == true)
        #expect(suspended?.direction.obstacle == .session)
        scenario.ask(.invalidate(code: -5884))
        #expect(scenario.retained()?.guidance?.distance.hint == NearbyError.userDidNotAllow.hint)
        var ended = BridgeEngineSessionsTests.ranging()
        ended.ask(.stop)
        #expect(ended.retained()?.guidance?.distance.hint?.contains("accessory/start") == true)
    }

    @Test("Every state of a session either is a reason or is none", arguments: SessionState.allCases)
    func states(_ state: SessionState) {
        let hinder = Guidance.hinder(state, nil)
        let mayMeasure: [SessionState] = [.idle, .external, .silent, .ranging]
        #expect((hinder == nil) == mayMeasure.contains(state))
        #expect(hinder.map { $0.obstacle == .session && $0.hint?.isEmpty == false } ?? true)
    }
}
