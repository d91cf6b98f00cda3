// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import TestSupport
import Testing

/// Devices and modules that do without a broker: a pseudo-terminal for a serial port, datagrams on the loopback.
@Suite(.onItsOwnThread)
struct InputTests {
    private static let lamp = "format: qorvo, accessory: lamp, peer: phone"

    /// A line as the command line of a DWM3001CDK prints it.
    private func qorvo(_ centimetres: Int, _ block: Int) -> String {
        #"{"Block":\#(block), "results":[{"Addr":"0x0001","Status":"Ok","D_cm":\#(centimetres)}]}"# + "\r\n"
    }

    /// Prints a line for a number ten times a second, each cut in two somewhere.
    private func print(for seconds: Double, from first: Int = 0, on device: PseudoTerminal, _ line: (Int) -> String) {
        var generator = SeededGenerator(seed: UInt64(first))
        for number in first..<first + Int(seconds * 10) {
            let bytes = Array(line(number).utf8)
            let cut = Int.random(in: 0...bytes.count, using: &generator)
            device.write(Array(bytes[..<cut]))
            Waiting.sleep(milliseconds: 20)
            device.write(Array(bytes[cut...]))
            Waiting.sleep(milliseconds: 80)
        }
    }

    private func waitForLine(_ text: String, _ count: Int = 1, of bridge: BridgeProcess) -> Bool {
        Waiting.until { lines(text, of: bridge) >= count }
    }

    private func lines(_ text: String, of bridge: BridgeProcess) -> Int {
        bridge.logLines.count { $0.contains(text) }
    }

    @Test("Boards on serial ports enter and leave, wherever their lines are cut")
    func boards() throws {
        let board = try PseudoTerminal()
        let shell = try PseudoTerminal()
        let sketch = try PseudoTerminal()
        let site = try Site(set: [
            """
            inputs=[{serial: \(board.path), \(Self.lamp)}, \
            {serial: \(shell.path), format: pans, names: {"0x022E": gate, "0x9280": dock}}, \
            {serial: \(sketch.path), baud: 9600, accessory: door}]
            """
        ])
        try #require(waitForLine("is open at", 3, of: site.bridge), "\(site.bridge.log)")
        board.print("[00:00:03.831,174] <info> app: Device address: 0xdeca\r\n")
        shell.print("dwm> lec\r\ndwm> ")
        print(for: 1.5, on: board) { qorvo(200, $0) }
        print(for: 1.5, on: shell) { _ in "DIST,2,AN0,022E,7.94,8.03,0.00,2.00,AN1,9280,7.95,0.00,0.00,9.68\r\n" }
        print(for: 1.5, on: sketch) { _ in "{\"distance\": 2.0}\n" }
        let streams = [("lamp", "phone"), ("gate", nil), ("door", nil)]
        for (accessory, peer) in streams {
            let events = site.waitForEvents(1, of: accessory, peer: peer).map(\.summary)
            #expect(events == ["enter near"], "\(accessory): \(site.bridge.log)")
        }
        print(for: 2, from: 15, on: board) { qorvo(500, $0) }
        #expect(site.waitForEvents(2).map(\.summary) == ["enter near", "exit near left"])
        #expect(site.events(of: "dock").isEmpty)
        #expect(try site.health().dropped["malformed"] == 0, "\(site.bridge.log)")
        let health = try #require(site.consumer.messages.last { $0.topic.hasSuffix("response/health") }).text
        #expect(health.contains(#""name":"serial:\#(board.path)","open":true"#), "\(health)")
    }

    @Test("A board that is pulled out is lost, and enters again when it is back")
    func hotPlug() throws {
        let directory = try TemporaryDirectory()
        let place = directory.file("ttyACM0")
        let entry = #"{serial: \#(place), \#(Self.lamp), lost_after: 4s, init: ["\r\r", "lec\r", stat]}"#
        let site = try Site(set: ["inputs=[\(entry)]"])
        try #require(waitForLine("plug the device in", of: site.bridge), "\(site.bridge.log)")
        var device: PseudoTerminal? = try PseudoTerminal()
        device?.link(at: place)
        try #require(waitForLine("is open at 115200 baud", of: site.bridge))
        let greeting = Array("\r\rlec\rstat\r\n".utf8)
        #expect(Waiting.until { device?.received == greeting }, "\(device?.received ?? [])")
        if let device { print(for: 1.5, on: device) { qorvo(200, $0) } }
        #expect(site.waitForEvents(1).map(\.summary) == ["enter near"], "\(site.bridge.log)")
        device?.print(String(qorvo(200, 15).prefix(40)))
        device = nil
        #expect(waitForLine("is gone", of: site.bridge), "\(site.bridge.log)")
        #expect(site.waitForEvents(2).map(\.summary) == ["enter near", "exit near lost"])

        let other = try PseudoTerminal()
        other.link(at: place)
        #expect(waitForLine("is open at 115200 baud", 2, of: site.bridge))
        #expect(Waiting.until { other.received == greeting })
        print(for: 1.5, from: 20, on: other) { qorvo(200, $0) }
        #expect(site.waitForEvents(3).map(\.summary) == ["enter near", "exit near lost", "enter near"])
        #expect(lines("inputs: ", of: site.bridge) == 4, "\(site.bridge.log)")
        #expect(try site.health().dropped["malformed"] == 0)
    }

    @Test("A board belongs to one program: whoever comes second goes on without it until it is free")
    func exclusive() throws {
        let device = try PseudoTerminal()
        var other: SerialPort? = try SerialPort(device.path, bitsPerSecond: 9600)
        let site = try Site(set: ["inputs=[{serial: \(device.path), \(Self.lamp)}]"])
        try #require(waitForLine("another program has it", of: site.bridge), "\(site.bridge.log)")
        try site.enterBoth("desk")
        #expect(other != nil)
        other = nil
        try #require(waitForLine("is open at", of: site.bridge), "\(site.bridge.log)")
        let error = #expect(throws: SystemError.self) { try SerialPort(device.path, bitsPerSecond: 9600) }
        #expect(error?.isInUse == true)
        print(for: 1.5, on: device) { qorvo(200, $0) }
        #expect(site.waitForEvents(1).map(\.summary) == ["enter near"])
    }

    @Test("Noise, as of a wrong speed, costs one line and nothing else")
    func noise() throws {
        let device = try PseudoTerminal()
        let site = try Site(set: ["inputs=[{serial: \(device.path), accessory: lamp}]"])
        try #require(waitForLine("is open at", of: site.bridge), "\(site.bridge.log)")
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<500 {
            device.write((0..<200).map { _ in UInt8.random(in: 0...255, using: &generator) })
            Waiting.sleep(milliseconds: 2)
        }
        // What is left of the noise must not spoil the first line that is none.
        Waiting.sleep(milliseconds: 500)
        print(for: 1.5, on: device) { qorvo(200, $0) }
        #expect(site.waitForEvents(1).map(\.summary) == ["enter near"], "\(site.bridge.log)")
        #expect(lines("input serial:\(device.path): ", of: site.bridge) == 1, "\(site.bridge.log)")
        #expect(site.bridge.isRunning)
    }

    @Test("Modules that send datagrams are understood, and what is too long is dropped")
    func datagrams() throws {
        let port = try DatagramSocket(host: "127.0.0.1", port: 0).port
        let other = try DatagramSocket(host: "127.0.0.1", port: 0).port
        let site = try Site(set: [
            "limits.payload=256",
            """
            inputs=[{udp: \(port), format: makerfabs, names: {"0x1782": gate, "0x0003": ramp, "0x0001": cart}}, \
            {udp: \(other), host: 127.0.0.1, fields: {distance: d, peer: who}, unit: cm, accessory: shelf}]
            """,
        ])
        try #require(waitForLine("is open", 2, of: site.bridge), "\(site.bridge.log)")
        let module = try DatagramSender(to: port)
        let sketch = try DatagramSender(to: other)
        for number in 0..<15 {
            module.send(#"{"links":[{"A":"1782","R":"2.2"},{"A":"1783","R":"9.5"}]}"#)
            module.send(
                "AT+RANGE=tid:1,mask:01,seq:\(number),range:(220,0,0,0,0,0,0,0),ancid:(3,-1,-1,-1,-1,-1,-1,-1)\r\n"
            )
            module.send(#"{"links":[{"A":"1782","R":"9.9"}]}"# + String(repeating: " ", count: 300))
            sketch.send("{\"d\":220,\"who\":\"anna\"}")
            Waiting.sleep(milliseconds: 100)
        }
        for (accessory, peer) in [("gate", nil), ("ramp", "cart"), ("shelf", "anna")] {
            let events = site.waitForEvents(1, of: accessory, peer: peer).map(\.summary)
            #expect(events == ["enter near"], "\(accessory): \(site.bridge.log)")
        }
        #expect(try site.health().dropped["too_large"] == 15)
        #expect(lines("input udp:\(port): report of 334 bytes dropped: limits.payload is 256", of: site.bridge) == 1)
    }

    @Test("A port in use is told, and taken once it is free")
    func portInUse() throws {
        var holder: DatagramSocket? = try DatagramSocket(host: "127.0.0.1", port: 0)
        let port = try #require(holder?.port)
        let site = try Site(set: ["inputs=[{udp: \(port), format: json, accessory: lamp}]"])
        let line = "cannot open UDP port \(port) of 0.0.0.0: Address already in use; another program has it"
        try #require(waitForLine(line, of: site.bridge), "\(site.bridge.log)")
        try site.enterBoth("desk")
        holder = nil
        try #require(waitForLine("input udp:\(port) is open", of: site.bridge), "\(site.bridge.log)")
        let sender = try DatagramSender(to: port)
        for _ in 0..<15 {
            sender.send("{\"distance\":2}")
            Waiting.sleep(milliseconds: 100)
        }
        #expect(site.waitForEvents(1).map(\.summary) == ["enter near"])
        #expect(lines("cannot open", of: site.bridge) == 1)
    }

    @Test("While the broker is away a board is heard all the same")
    func brokerAway() throws {
        let device = try PseudoTerminal()
        let site = try Site(set: ["inputs=[{serial: \(device.path), \(Self.lamp)}]"], persistence: true)
        try #require(waitForLine("is open at", of: site.bridge), "\(site.bridge.log)")
        site.broker.kill()
        print(for: 1.5, on: device) { qorvo(200, $0) }
        try site.broker.restart()
        try site.reconnectClients()
        // The event waited for a consumer too: it came to the broker before this one, or comes now.
        let isInside = Waiting.until { (try? site.zones()["near"]) == "inside" }
        #expect(isInside, "\(site.bridge.log)")
        #expect(try site.health().events == 2)
        #expect(lines("is gone", of: site.bridge) == 0)
    }

    @Test("A bridge that stands by leaves the board to the other, and takes it over")
    func twin() throws {
        let device = try PseudoTerminal()
        let site = try Site(set: ["inputs=[{serial: \(device.path), \(Self.lamp)}]"])
        try #require(waitForLine("is open at", of: site.bridge), "\(site.bridge.log)")
        let second = try site.secondBridge()
        try #require(Waiting.until { second.log.contains("standing by") }, "\(second.log)")
        print(for: 1.5, on: device) { qorvo(200, $0) }
        #expect(site.waitForEvents(1).map(\.summary) == ["enter near"])
        #expect(lines("inputs: ", of: second) == 0, "\(second.log)")
        site.bridge.kill()
        try #require(waitForLine("is open at", of: second), "\(second.log)")
        print(for: 2, from: 20, on: device) { qorvo(500, $0) }
        #expect(site.waitForEvents(2).map(\.summary) == ["enter near", "exit near left"], "\(second.log)")
    }
}
