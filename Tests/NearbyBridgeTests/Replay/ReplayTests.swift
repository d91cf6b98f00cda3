// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import Testing

@testable import NearbyBridge

struct ReplayTests {
    /// Two seconds far, three near, three far.
    private func walk(from start: Double = 0) -> Walk {
        let samples = (0..<80).map { step in
            let ahead = [4.0, 1.0, 4.0][step < 20 ? 0 : step < 50 ? 1 : 2]
            return Walk.Sample(time: start + Double(step) / 10, measured: ahead, truth: nil)
        }
        return Walk(name: "walk", samples: samples)
    }

    private func story(_ events: [ZoneEvent]) -> [String] {
        events.map { "\(EventText.describe($0).prefix(15))".trimmingSuffix() }
    }

    private func events(_ walk: Walk, _ options: EngineOptions = EngineOptions(), name: String = "walk") -> [ZoneEvent]
    {
        var replay = Replay(options: options, name: name)
        return replay.events(of: walk)
    }

    @Test func `a walk makes its events at the recording's own times`() {
        let events = events(walk())
        #expect(story(events) == ["enter near", "enter immediate", "exit  immediate", "exit  near"])
        #expect(events.allSatisfy { $0.accessory == "walk" && $0.peer == nil })
        let times = events.map { Replay.seconds($0.at) }
        #expect(times[0] >= 2 && times[1] < 4)
        #expect(times[2] >= 5 && times[3] < 7)
    }

    @Test func `a replay gives the same events every time`() {
        #expect(events(walk()) == events(walk()))
    }

    @Test(arguments: [-1e6, -100, 0.05, 1e6, 9e8])
    func `the origin of the recording's time does not matter`(_ start: Double) {
        let moved = events(walk(from: start))
        #expect(story(moved) == story(events(walk())))
        for (here, there) in zip(events(walk()), moved) {
            #expect(abs(Replay.seconds(there.at) - start - Replay.seconds(here.at)) < 0.001)
        }
    }

    @Test func `a walk without samples makes no events`() {
        #expect(events(Walk(name: "walk", samples: [])).isEmpty)
    }

    @Test(arguments: [
        ("walk", "walk"), ("my walk (1)", "my-walk--1-"), ("ä", "--"), ("", "walk"), ("a/b", "a-b"),
        (String(repeating: "x", count: 100), String(repeating: "x", count: 64)),
    ])
    func `any file name makes an identifier`(_ name: String, _ identifier: String) {
        #expect(events(walk(), name: name).first?.accessory == identifier)
    }

    @Test func `a recording joins whatever the configuration says of strangers`() {
        var options = EngineOptions()
        options.join = .allowlist
        #expect(events(walk(), options).count == 4)
    }

    @Test func `the options of the accessory apply`() {
        var options = EngineOptions()
        options.accessories["walk"] = AccessoryOptions()
        options.accessories["walk"]?.distanceOffset = 1
        #expect(story(events(walk(), options)) == ["enter near", "exit  near"])
    }

    @Test func `instants keep a recording's milliseconds`() {
        for time in [0.0, 0.001, 1234.567, -0.25, 9.99e8] {
            #expect(abs(Replay.seconds(Replay.instant(time)) - time) < 1e-6)
        }
        #expect(Replay.instant(0.268) == Instant(nanoseconds: 268_000_000))
    }
}

extension String {
    fileprivate func trimmingSuffix() -> String {
        var text = self[...]
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
