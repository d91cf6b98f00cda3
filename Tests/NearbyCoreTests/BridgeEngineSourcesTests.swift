// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import TestSupport
import Testing

@Suite struct BridgeEngineSourcesTests {
    /// An engine with one source, fed on foreign topics.
    private struct Site {
        var engine: BridgeEngine
        var effects = EffectBuffer()
        var now = Instant(nanoseconds: 0)

        init(_ source: SourceOptions, _ change: (inout EngineOptions) -> Void = { _ in }) {
            var options = EngineOptions()
            options.unixMillisecondsAtOrigin = 1_764_511_312_000
            options.sources = [source]
            change(&options)
            var generator = SeededGenerator(seed: 1)
            engine = BridgeEngine(options: options, using: &generator)
            engine.handle(.subscribed, at: now, into: &effects)
        }

        /// Sends a payload on a topic whose levels are told in order; `accessory:`, `peer:` and `anchor:` name one.
        mutating func send(_ payload: String, on levels: [String], at seconds: Double? = nil, isRetained: Bool = false)
        {
            if let seconds { now = Instant(nanoseconds: Int64(seconds * 1e9)) }
            var topic: [UInt8] = []
            var names = FeedLevels()
            for level in levels {
                if !topic.isEmpty { topic.append(UInt8(ascii: "/")) }
                let parts = level.split(separator: "=", maxSplits: 1)
                let text = Array((parts.last ?? "").utf8)
                let range = topic.count..<topic.count + text.count
                topic += text
                guard parts.count == 2 else { continue }
                switch parts[0] {
                case "accessory": names.accessory = range
                case "peer": names.peer = range
                default: names.anchor = range
                }
            }
            guard
                let feed = engine.feed(topic.span)
                    ?? engine.addFeed(topic.span, source: 0, levels: names, into: &effects)
            else { return }
            engine.handleReport(
                Array(payload.utf8).span,
                from: feed,
                isRetained: isRetained,
                at: now,
                into: &effects
            )
        }

        /// Every 0.2 s the same, for so many seconds.
        mutating func stay(_ payload: String, on levels: [String], for seconds: Double) {
            for _ in 0..<Int(seconds * 5) {
                now = now.advanced(by: .milliseconds(200))
                send(payload, on: levels)
            }
        }

        mutating func wait(_ seconds: Double) {
            now = now.advanced(by: .milliseconds(Int64(seconds * 1000)))
            engine.advance(to: now, into: &effects)
        }

        /// Every event as `accessory/peer enter near`, the aggregate's without a peer.
        var story: [String] {
            effects.effects.compactMap { effect in
                guard case .event(let event) = effect else { return nil }
                return "\(event.accessory)\(event.peer.map { "/\($0)" } ?? "") \(event.summary)"
            }
        }

        var complaints: [Complaint] {
            effects.effects.compactMap { if case .complaint(let complaint) = $0 { complaint } else { nil } }
        }
    }

    private func source(_ format: RangeFormat, _ change: (inout SourceOptions) -> Void = { _ in }) -> SourceOptions {
        var source = SourceOptions()
        source.format = format
        change(&source)
        return source
    }

    // MARK: Who is who

    @Test func `a topic names accessory and peer`() {
        var site = Site(source(.espresense))
        let payload = #"{"mac":"dd8800003777","id":"iBeacon:426c","rssi":-60,"distance":2}"#
        site.stay(payload, on: ["espresense", "devices", "peer=watch", "accessory=kitchen"], for: 1)
        #expect(site.story == ["kitchen/watch enter near", "kitchen enter near"])
    }

    @Test func `whom a topic names by an address is called as the configuration says`() {
        var site = Site(source(.json) { $0.names = ["5c0a": "gate", "0x0007": "forklift"] })
        site.stay(#"{"distance":2}"#, on: ["uwb", "accessory=5c0a", "peer=0x0007"], for: 1)
        #expect(site.story == ["gate/forklift enter near", "gate enter near"])
    }

    @Test func `a tag's ranges lie around its anchors`() {
        var site = Site(source(.makerfabs) { $0.names = ["0x0019": "dock", "0x0002": "forklift"] })
        let payload = "AT+RANGE=tid:2,mask:12,seq:11,range:(0,105,0,0,900,0,0,0),ancid:(0,25,0,0,28,0,0,0)\r\n"
        site.stay(payload.replacing("seq:11", with: "seq:1"), on: ["gateway"], for: 0.2)
        site.stay(payload.replacing("seq:11", with: "seq:2"), on: ["gateway"], for: 0.2)
        site.wait(0.5)
        #expect(
            site.story == [
                "dock/forklift enter near", "dock/forklift enter immediate", "dock enter near", "dock enter immediate",
            ]
        )
        // Without a name an anchor is called by its address, and it has joined.
        #expect(site.engine.accessory(named: "0x001C") != nil)
    }

    @Test func `or around the tag, if one wants`() {
        var site = Site(
            source(.makerfabs) {
                $0.names = ["0x0019": "dock", "0x0002": "forklift"]
                $0.center = .tags
            }
        )
        for number in 1...3 {
            let payload = "AT+RANGE=tid:2,mask:02,seq:\(number),range:(0,205,0,0,0,0,0,0),ancid:(0,25,0,0,0,0,0,0)\r\n"
            site.stay(payload, on: ["gateway"], for: 0.2)
        }
        site.wait(0.5)
        #expect(site.story == ["forklift/dock enter near", "forklift enter near"])
    }

    @Test func `several tags on one topic are kept apart`() {
        var site = Site(
            source(.makerfabs) { $0.names = ["0x0000": "gate", "0x0001": "near-one", "0x0002": "far-one"] }
        )
        for number in 1...5 {
            for (tag, range) in [(1, 200), (2, 800)] {
                site.send(
                    "AT+RANGE=tid:\(tag),mask:01,seq:\(number),range:(\(range),0,0,0,0,0,0,0),ancid:(0,-1,-1,-1,-1,-1,-1,-1)\n",
                    on: ["gateway"],
                    at: Double(number) * 0.2
                )
            }
        }
        #expect(site.story == ["gate/near-one enter near", "gate enter near"])
    }

    @Test func `an accessory that the topic names has the measured end for a peer`() {
        var site = Site(source(.makerfabs) { $0.names = ["0x0019": "dock"] })
        for number in 1...4 {
            let payload = "AT+RANGE=tid:2,mask:02,seq:\(number),range:(0,205,0,0,0,0,0,0),ancid:(0,25,0,0,0,0,0,0)\r\n"
            site.stay(payload, on: ["tags", "accessory=forklift"], for: 0.2)
        }
        #expect(site.story == ["forklift/dock enter near", "forklift enter near"])
    }

    @Test func `a fixed accessory and peer need no names`() {
        var site = Site(
            source(.uci) {
                $0.accessory = "door"
                $0.peer = "phone"
            }
        )
        let packet =
            "62000038 00000000 01000000 00 c8000000 01 00 00 0000000000000000 01 0100 00 ff c800 000000000000000000000000 02 00 0000000000000000000000"
        for number in 0..<4 {
            let counted = packet.replacing("62000038 00", with: "62000038 0\(number)")
            site.stay(counted, on: ["serial"], for: 0.2)
        }
        #expect(site.story == ["door/phone enter near", "door enter near"])
    }

    @Test func `a report whose accessory nobody names is complained of once`() {
        var site = Site(source(.json))
        site.stay(#"{"distance":1}"#, on: ["uwb", "x"], for: 2)
        #expect(site.complaints.map(\.kind) == [.noAccessory])
        #expect(site.complaints.map(\.accessory) == ["uwb/x"])
        #expect(site.complaints.map(\.subject) == [.topic])
        #expect(site.engine.counters.withoutMeasurement == 10)
        #expect(site.engine.joinedAccessories == 0)
    }

    @Test func `a level that is no identifier is refused once`() {
        var site = Site(source(.json))
        for _ in 0..<3 { site.send(#"{"distance":1}"#, on: ["uwb", "accessory=no name"], at: 1) }
        let refusals = site.effects.effects.count { if case .notice = $0 { true } else { false } }
        #expect(refusals == 1)
        #expect(site.engine.counters.refusedAccessories == 3)
    }

    @Test func `whoever may not join through a source is refused like anybody`() {
        var site = Site(source(.json)) { $0.join = .allowlist }
        site.stay(#"{"distance":1}"#, on: ["uwb", "accessory=stranger"], for: 1)
        #expect(site.story == [])
        #expect(site.engine.joinedAccessories == 0)
        #expect(site.engine.counters.refusedAccessories == 5)
    }

    @Test func `a unit that is not the format's is converted`() {
        var site = Site(source(.json) { $0.scale = 0.01 })
        site.stay(#"{"distance":205}"#, on: ["accessory=gate"], for: 1)
        #expect(site.story == ["gate enter near"])
    }

    @Test func `fields may stand anywhere in the JSON`() throws {
        let fields = try FieldPaths(
            each: "data.links",
            fields: [.distance: "range.value", .peer: "anchor", .reporter: "$.tag", .status: "state"],
            okWords: ["good"]
        )
        var site = Site(source(.json) { $0.fields = fields })
        let payload =
            #"{"tag":"cart","data":{"links":[{"anchor":"dock","state":"good","range":{"value":2.5}},{"anchor":"gate","state":"bad","range":{"value":0.1}}]}}"#
        site.stay(payload, on: ["vendor"], for: 1)
        #expect(site.story == ["dock/cart enter near", "dock enter near"])
        #expect(site.engine.accessory(named: "gate") == nil)
    }

    // MARK: Positions

    private func location(_ x: Double, _ y: Double, _ z: Double) -> String {
        #"{"position":{"x":\#(x),"y":\#(y),"z":\#(z),"quality":60},"superFrameNumber":1}"#
    }

    private let anchorConfiguration =
        #"{"configuration":{"label":"DW0F07","nodeType":"ANCHOR","anchor":{"initiator":true,"position":{"x":0,"y":0,"z":2,"quality":100}}}}"#

    @Test func `a position is a distance to each anchor that told its place`() {
        var site = Site(source(.drtls) { $0.names = ["0x0F07": "gate"] })
        // It is retained: it came first.
        site.send(
            anchorConfiguration,
            on: ["dwm", "node", "anchor=0f07", "uplink", "config"],
            at: 0.1,
            isRetained: true
        )
        site.stay(location(2, 0, 2), on: ["dwm", "node", "peer=1234", "uplink", "location"], for: 1)
        #expect(site.story == ["gate/1234 enter near", "gate enter near"])
        site.stay(location(0.5, 0, 2), on: ["dwm", "node", "peer=1234", "uplink", "location"], for: 2)
        #expect(site.story.suffix(2) == ["gate/1234 enter immediate", "gate enter immediate"])
    }

    @Test func `a retained position enters nowhere`() {
        var site = Site(source(.drtls) { $0.anchors = ["gate": [0, 0, 0]] })
        for step in 0..<10 {
            let topic = ["dwm", "node", "peer=1234", "uplink", "location"]
            site.send(location(0, 0, 0), on: topic, at: Double(step) * 0.1, isRetained: true)
        }
        #expect(site.story == [])
        #expect(site.engine.counters.retained == 10)
    }

    @Test func `heights may be left out, for all anchors or for one that has none`() {
        for (anchor, isHorizontal, expected) in [
            (SIMD3(0, 0, 5), false, 0), (SIMD3(0, 0, 5), true, 2), (SIMD3(0, 0, Double.nan), false, 2),
        ] {
            var site = Site(
                source(.drtls) {
                    $0.anchors = ["gate": anchor]
                    $0.isHorizontal = isHorizontal
                }
            )
            site.stay(location(2, 0, 1), on: ["dwm", "peer=1234"], for: 1)
            #expect(site.story.count == expected)
        }
    }

    @Test func `with the tag for an accessory the anchors are its peers`() {
        var site = Site(source(.drtls) { $0.anchors = ["gate": [0, 0, 0], "dock": [9, 0, 0]] })
        site.stay(location(2, 0, 0), on: ["dwm", "accessory=cart"], for: 1)
        #expect(site.story == ["cart/gate enter near", "cart enter near"])
    }

    @Test func `far tags make no peers, and near ones stay until they are far`() {
        var site = Site(source(.drtls) { $0.anchors = ["gate": [0, 0, 0]] })
        site.stay(location(60, 0, 0), on: ["dwm", "peer=cart"], for: 1)
        #expect(site.engine.accessory(named: "gate") == nil)
        for step in 0..<60 { site.stay(location(7 - 0.1 * Double(step), 0, 0), on: ["dwm", "peer=cart"], for: 0.2) }
        for step in 0..<200 { site.stay(location(1 + 0.2 * Double(step), 0, 0), on: ["dwm", "peer=cart"], for: 0.2) }
        let visit = ["enter near", "enter immediate", "exit immediate left", "exit near left"]
        #expect(site.story.filter { $0.hasPrefix("gate/cart") } == visit.map { "gate/cart \($0)" })
    }

    @Test func `a place that the configuration tells is not learned anew`() {
        var site = Site(source(.drtls) { $0.anchors = ["gate": [50, 0, 0]] })
        site.send(anchorConfiguration, on: ["dwm", "anchor=gate", "config"], at: 0.1)
        site.stay(location(0, 0, 2), on: ["dwm", "peer=cart"], for: 1)
        #expect(site.story == [])
    }

    @Test func `a position without a place of an anchor is no measurement`() {
        var site = Site(source(.pozyx))
        let payload =
            #"[{"version":"2.0","tagId":"20000","timestamp":1776879440.19,"data":{"coordinates":{"x":0,"y":0,"z":0}},"success":true}]"#
        site.stay(payload, on: ["tags"], for: 1)
        #expect(site.story == [])
        #expect(site.engine.counters.withoutMeasurement == 5)
    }

    // MARK: Patience

    @Test func `a source is waited for as long as it asks`() {
        var site = Site(source(.json) { $0.lostAfter = .after(.seconds(70)) })
        site.stay(#"{"distance":2}"#, on: ["accessory=gate"], for: 1)
        site.wait(69)
        #expect(site.story == ["gate enter near"])
        site.wait(2)
        #expect(site.story == ["gate enter near", "gate exit near lost"])
    }

    @Test func `what the accessory says of patience goes first`() {
        var site = Site(source(.json) { $0.lostAfter = .after(.seconds(70)) }) { options in
            var gate = AccessoryOptions()
            gate.lostAfter = .after(.seconds(3))
            options.accessories["gate"] = gate
        }
        site.stay(#"{"distance":2}"#, on: ["accessory=gate"], for: 1)
        site.wait(4)
        #expect(site.story == ["gate enter near", "gate exit near lost"])
    }

    @Test func `who was inside in an earlier life is waited for as long as the most patient source asks`() {
        var site = Site(source(.json) { $0.lostAfter = .after(.seconds(70)) })
        var generator = SeededGenerator(seed: 1)
        site.engine = BridgeEngine(options: site.engine.options, using: &generator)
        let zone = RestoredStream.Zone(name: "near", state: .inside, since: site.now, visit: 1_764_511_312_000)
        let stream = RestoredStream(accessory: "gate", peer: nil, lastSequence: 1_764_511_312_000, zones: [zone])
        site.engine.handle(.restore(stream), at: site.now, into: &site.effects)
        site.engine.handle(.subscribed, at: site.now, into: &site.effects)
        site.wait(60)
        #expect(site.story == [])
        // It reports on its own topic after all: then the usual patience is enough.
        if let gate = site.engine.accessory(named: "gate") {
            let payload = Array(#"{"distance":2}"#.utf8)
            site.engine.handleReport(payload.span, from: gate, at: site.now, into: &site.effects)
        }
        site.wait(11)
        #expect(site.story == ["gate exit near lost"])
    }

    @Test func `whom his source calls away is lost soon, unless he is heard again`() {
        var site = Site(
            source(.drtls) {
                $0.anchors = ["gate": [0, 0, 0]]
                $0.lostAfter = .after(.seconds(70))
            }
        )
        let topic = ["dwm", "node", "peer=cart", "uplink", "location"]
        let status = ["dwm", "node", "peer=cart", "uplink", "status"]
        site.stay(location(2, 0, 0), on: topic, for: 1)
        site.send(#"{"present":false}"#, on: status)
        site.wait(4)
        site.stay(location(2, 0, 0), on: topic, for: 1)
        site.wait(30)
        #expect(site.story == ["gate/cart enter near", "gate enter near"])
        site.send(#"{"present":false}"#, on: status)
        site.wait(4)
        #expect(site.story.count == 2)
        site.wait(2)
        #expect(site.story.suffix(2) == ["gate/cart exit near lost", "gate exit near lost"])
    }

    // MARK: Bounds

    @Test func `a stream cut anywhere is put together for each topic by itself`() {
        var site = Site(source(.makerfabs) { $0.names = ["0x0019": "dock"] })
        for number in 1...6 {
            let line = "AT+RANGE=tid:2,mask:02,seq:\(number),range:(0,205,0,0,0,0,0,0),ancid:(0,25,0,0,0,0,0,0)\r\n"
            let cut = line.index(line.startIndex, offsetBy: 7 * number)
            for (part, gateway) in [(line[..<cut], "a"), (line[..<cut], "b"), (line[cut...], "a"), (line[cut...], "b")]
            {
                site.send(String(part), on: ["gateway", gateway], at: Double(number) * 0.2)
            }
        }
        #expect(site.story == ["dock enter near"])
        #expect(site.engine.counters.malformed == 0)
        #expect(site.engine.counters.duplicates == 6)
    }

    @Test func `more topics than can be remembered are learned again`() {
        var site = Site(source(.json)) { $0.limits.accessories = 10 }
        for number in 0..<33_000 { site.send(#"{"distance":9}"#, on: ["accessory=gate", "\(number)"], at: 1) }
        site.stay(#"{"distance":2}"#, on: ["accessory=gate", "1"], for: 3)
        #expect(site.story == ["gate enter near"])
    }

    @Test func `each peer has its own rate, however many come through one topic`() {
        var site = Site(source(.drtls) { $0.anchors = ["gate": [0, 0, 0]] }) { $0.limits.reportRate = 2 }
        for round in 0..<20 {
            for tag in 0..<30 {
                site.send(location(2, 0, 0), on: ["dwm", "peer=t\(tag)"], at: Double(round) * 0.5)
            }
        }
        #expect(site.engine.counters.rateLimited == 0)
        for _ in 0..<20 { site.send(location(2, 0, 0), on: ["dwm", "peer=t0"], at: 10) }
        #expect(site.engine.counters.rateLimited > 10)
    }
}
