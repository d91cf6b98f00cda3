// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import TestSupport
import Testing

@testable import NearbyBridge

struct OptionRequestsTests {
    private static let text = "accessories: {door: {peers: {\"0x0001\": {name: gate-1}}}}"

    private func read(_ command: String, _ payload: String) throws -> OptionRequests.Result {
        var bench = try PerformerBench()
        bench.report(#"{"distance":1,"peer":"alice"}"#, from: "lamp")
        let request = Request(
            command: command,
            payload: Array(payload.utf8),
            responseTopic: nil,
            correlationData: nil
        )
        return OptionRequests.change(of: request, in: bench.engine, try load(Self.text).configuration)
    }

    @Test(arguments: [
        ("accessory/options", #"{"accessory":"lamp","options":{"name":"x"}}"#, "accessories.lamp", "options"),
        (
            "accessory/options", #"{"accessory":"lamp","peer":"alice","options":{"name":"x"}}"#,
            "accessories.lamp.peers.alice", "options"
        ),
        (
            "accessory/options", #"{"accessory":"door","peer":"gate-1","options":{"distance_scale":1}}"#,
            "accessories.door.peers.0x0001", "options"
        ),
        ("accessory/rename", #"{"accessory":"lamp","name":"x"}"#, "accessories.lamp.name", "name"),
        ("accessory/rename", #"{"accessory":"lamp","name":null}"#, "accessories.lamp.name", "name"),
        ("zone/options", #"{"zone":"near","options":{"radius":2}}"#, "zones.near", "options"),
        (
            "zone/options", #"{"zone":"near","accessory":"lamp","options":{"radius":2}}"#,
            "accessories.lamp.zones.near", "options"
        ),
        (
            "zone/options", #"{"zone":"near","accessory":"lamp","peer":"alice","options":{"radius":2}}"#,
            "accessories.lamp.peers.alice.zones.near", "options"
        ),
        ("log_level", #"{"level":"debug"}"#, "log.level", "level"),
        ("log_level", #"{"level":"debug","subsystem":"zones"}"#, "log.levels.zones", "level"),
    ])
    func `a request is a key of the configuration with its value`(
        _ command: String,
        _ payload: String,
        _ path: String,
        _ field: String
    ) throws {
        guard case .change(let change) = try read(command, payload) else {
            Issue.record("\(try read(command, payload))")
            return
        }
        #expect("\(change.path)" == path)
        #expect(change.field == field)
    }

    @Test(arguments: [
        ("accessory/options", "", "accessory: missing"),
        ("accessory/options", #"{"accessory":7,"options":{}}"#, "accessory: expected text"),
        ("accessory/options", #"{"accessory":"lam","options":{"name":"x"}}"#, #"accessory: "lam" is not known"#),
        ("accessory/options", #"{"accessory":"a\nb","options":{"name":"x"}}"#, #"accessory: "a\nb" is not known"#),
        ("accessory/options", #"{"accessory":"lamp"}"#, "options: missing"),
        ("accessory/options", #"{"accessory":"lamp","options":{"distance_offset":1e999}}"#, "options: a value in it"),
        ("accessory/options", #"{"accessory":"lamp","options":[]}"#, "options: expected an object"),
        ("accessory/options", #"{"accessory":"lamp","options":{}}"#, "options: expected an object"),
        ("accessory/options", #"{"accessory":"lamp","options":null}"#, "options: expected an object"),
        (
            "accessory/options", #"{"accessory":"lamp","peer":"bob","options":{"name":"x"}}"#,
            #"peer: "bob" is not known to "lamp""#
        ),
        ("accessory/rename", #"{"accessory":"lamp"}"#, "name: missing"),
        ("zone/options", #"{"options":{"radius":2}}"#, "zone: missing; one of immediate, near"),
        ("zone/options", #"{"zone":"naer","options":{"radius":2}}"#, #"zone: "naer" is not known; did you mean near?"#),
        ("zone/options", #"{"zone":"near","peer":"alice","options":{"radius":2}}"#, "accessory: missing"),
        ("log_level", "{}", "level: missing; one of error, warning, info, debug, trace"),
        ("log_level", #"{"level":"debug","subsystem":"zone"}"#, #"subsystem: "zone" is unknown; did you mean zones?"#),
        ("log_level", #"{"level":"debug","subsystem":1}"#, "subsystem: expected text"),
    ])
    func `an error names the field`(_ command: String, _ payload: String, _ expected: String) throws {
        guard case .refused(let text) = try read(command, payload) else {
            Issue.record("\(command) \(payload) is accepted")
            return
        }
        #expect(text.hasPrefix(expected), "\(text)")
    }

    @Test func `other commands are somebody else's`() throws {
        #expect(try read("health", "{}") == .unknown)
    }

    @Test func `what is wrong with a value is said in the words of the request`() throws {
        let payload = #"{"accessory":"lamp","options":{"zones":{"near":{"radius":0}},"nmae":"x"}}"#
        guard case .change(let change) = try read("accessory/options", payload) else {
            Issue.record("it is refused")
            return
        }
        var live = try LiveConfiguration()
        do {
            _ = try live.set(change.node, at: change.path)
            Issue.record("it is accepted")
        } catch {
            #expect(
                OptionRequests.text(of: error, change)
                    == "options.nmae: unknown key; did you mean accessories.lamp.name?; "
                    + "options.zones.near.radius: expected metres greater than 0, at most 1000, found \"0\"; write 1"
            )
        }
    }

    @Test func `a deep or wide value does not trap`() throws {
        let deep = String(repeating: #"{"a":"#, count: 2000) + "1" + String(repeating: "}", count: 2000)
        _ = try read("accessory/options", #"{"accessory":"lamp","options":\#(deep)}"#)
        let wide = (0..<3000).map { #""k\#($0)":[[[{}]]]"# }.joined(separator: ",")
        _ = try read("accessory/options", #"{"accessory":"lamp","options":{\#(wide)}}"#)
    }
}
