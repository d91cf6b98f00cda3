// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import MosquittoClient
import TestSupport
import Testing

/// Products that know nothing of the bridge, on the topics that are theirs.
@Suite(.onItsOwnThread)
struct SourceTests {
    private static let anchor =
        #"{"configuration":{"label":"DW0F07","nodeType":"ANCHOR","ble":true,"anchor":{"initiator":true,"position":{"x":1,"y":1,"z":1,"quality":100}}}}"#

    private func location(_ x: Double) -> String {
        #"{"position":{"x":\#(x),"y":1,"z":1,"quality":60},"superFrameNumber":7}"#
    }

    /// Sends the same payloads every tenth of a second.
    private func send(_ payloads: [(topic: String, text: String)], on site: Site, seconds: Double) throws {
        for _ in 0..<Int(seconds * 10) {
            for payload in payloads { try site.source.publish(payload.topic, payload.text) }
            Waiting.sleep(milliseconds: 100)
        }
    }

    @Test("Each preset understands its product")
    func presets() throws {
        let site = try Site(set: [
            """
            sources=[{preset: espresense}, {preset: drtls, names: {"0f07": gate}}, \
            {preset: pozyx, anchors: {shelf: [0, 0, 1]}}, {preset: omlox, anchors: {dock: [5, 5]}}, \
            {preset: makerfabs, names: {"0x0003": ramp, "0x0001": cart}}]
            """
        ])
        try site.source.publish("dwm/node/0f07/uplink/config", Self.anchor, isRetained: true)
        try send(
            [
                (
                    "espresense/devices/apple:1005:9-26/kitchen",
                    #"{"mac":"dd8800003777","id":"apple:1005:9-26","rssi":-60,"distance":2.1}"#
                ),
                ("dwm/node/9a2b/uplink/location", location(3)),
                (
                    "tags",
                    #"[{"version":"2.0","tagId":"20002","data":{"coordinates":{"x":2000,"y":0,"z":1000}},"success":true}]"#
                ),
                (
                    "/omlox/json/location_updates/pub/forklift",
                    #"{"position":{"type":"Point","coordinates":[5,7.5]},"source":"s","provider_type":"uwb","provider_id":"forklift"}"#
                ),
                (
                    "/omlox/json/proximity_updates/door/badge",
                    #"{"source":"door","provider_type":"virtual","provider_id":"badge","accuracy":2.5}"#
                ),
                (
                    "makerfabs/one",
                    "AT+RANGE=tid:1,mask:01,range:(220,0,0,0,0,0,0,0),ancid:(3,-1,-1,-1,-1,-1,-1,-1)\r\n"
                ),
            ],
            on: site,
            seconds: 1
        )
        let peers = [
            ("kitchen", "apple:1005:9-26"), ("gate", "9a2b"), ("shelf", "20002"), ("dock", "forklift"),
            ("door", "badge"), ("ramp", "cart"),
        ]
        for (accessory, peer) in peers {
            #expect(site.waitForEvents(1, of: accessory, peer: peer).map(\.summary) == ["enter near"], "\(accessory)")
            #expect(site.waitForEvents(1, of: accessory).map(\.summary) == ["enter near"], "\(accessory)")
        }
        #expect(!site.bridge.log.contains("malformed"), "\(site.bridge.log)")
    }

    @Test("What a gateway retains enters nowhere, and a restart invents nothing")
    func retained() throws {
        let site = try Site(set: [#"sources=[{preset: drtls, names: {"0f07": gate}}]"#], keepingState: true)
        try site.source.publish("dwm/node/0f07/uplink/config", Self.anchor, isRetained: true)
        for _ in 0..<10 {
            try site.source.publish("dwm/node/9a2b/uplink/location", location(1), isRetained: true)
            Waiting.sleep(milliseconds: 100)
        }
        #expect(site.waitForEvents(2, of: "gate").map(\.summary) == ["enter near", "enter immediate"])
        site.bridge.kill()
        _ = site.bridge.wait()
        try site.restartBridge()
        try send([("dwm/node/9a2b/uplink/location", location(1.2))], on: site, seconds: 1)
        #expect(site.events(of: "gate").isEmpty, "it never left")
        // Away for good, with its last position in the broker.
        site.bridge.kill()
        _ = site.bridge.wait()
        try site.source.publish("dwm/node/77aa/uplink/location", location(1), isRetained: true)
        try site.restartBridge()
        Waiting.sleep(milliseconds: 500)
        #expect(site.events(of: "gate").isEmpty)
        #expect(site.events(of: "gate", peer: "77aa").isEmpty)
    }
}
