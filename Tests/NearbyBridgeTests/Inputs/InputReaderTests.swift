// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import NearbyCore
import TestSupport
import Testing

@testable import NearbyBridge

@Suite struct InputReaderTests {
    /// The engine and the reader of a configuration, with a clock that is moved by hand.
    private final class Site {
        var engine: BridgeEngine
        var effects = EffectBuffer()
        var poller = Poller()
        var reader: InputReader
        var now = Instant(nanoseconds: 0)
        var isWanted = true
        private let written = Locked<[String]>([])

        init(_ inputs: String) throws {
            let options = BridgeOptions(try load("{sources: [{topic: a}], inputs: [\(inputs)]}"))
            var generator = SeededGenerator(seed: 1)
            engine = BridgeEngine(options: options.engine, using: &generator)
            engine.handle(.subscribed, at: now, into: &effects)
            let written = written
            let log = Log(LogOptions(), isJournal: true) { line in
                written.withLock { $0.append(String(decoding: line, as: UTF8.self)) }
            }
            reader = InputReader(options.inputs, first: options.firstInput, poller: &poller, log: log)
        }

        /// One turn of the loop.
        func turn(after milliseconds: Int64 = 0) throws {
            now = now.advanced(by: .milliseconds(milliseconds))
            reader.prepare(&poller, isWanted: isWanted, &engine, at: now)
            try poller.wait(timeout: .zero)
            reader.work(poller, &engine, into: &effects, at: now)
        }

        /// Turns until everything is open: a program that another test starts has our descriptors for a moment.
        func open() -> Bool {
            Waiting.until {
                try? turn(after: 1000)
                return reader.counters.allSatisfy(\.isOpen)
            }
        }

        /// Turns without time until something holds.
        func turn(until condition: () -> Bool) -> Bool {
            Waiting.until {
                try? turn()
                return condition()
            }
        }

        var lines: [String] { written.withLock { $0 } }
        var counters: EngineCounters { engine.counters }
    }

    private func qorvo(_ block: Int) -> String {
        #"{"Block":\#(block), "results":[{"Addr":"0x0001","Status":"Ok","D_cm":200}]}"# + "\r\n"
    }

    @Test(arguments: ["auto", "qorvo"])
    func `lines of a device reach the engine however they are cut`(_ format: String) throws {
        let device = try PseudoTerminal()
        let site = try Site("{serial: \(device.path), format: \(format), accessory: lamp}")
        try site.turn()
        var generator = SeededGenerator(seed: 7)
        var rest = Array((0..<50).map(qorvo).joined().utf8)[...]
        while !rest.isEmpty {
            let count = min(rest.count, Int.random(in: 1...40, using: &generator))
            device.write(Array(rest.prefix(count)))
            rest.removeFirst(count)
            try site.turn(after: 2)
        }
        #expect(site.turn { site.counters.reports == 50 })
        #expect(site.counters.malformed == 0)
        let counters = try #require(site.reader.counters.first)
        #expect(counters.messages == 50)
        #expect(counters.bytes == (0..<50).map(qorvo).joined().utf8.count)
        #expect(counters.isOpen)
        #expect(site.lines == ["<6>inputs: input serial:\(device.path) is open at 115200 baud\n"])
    }

    @Test func `a device that comes, goes and comes back costs one line each`() throws {
        let directory = try TemporaryDirectory()
        let place = directory.file("ttyACM0")
        let site = try Site("{serial: \(place), format: qorvo, accessory: lamp}")
        for _ in 0..<50 { try site.turn(after: 100) }
        #expect(site.lines.count == 1)
        #expect(site.lines.last?.contains("No such file or directory; plug the device in") == true)
        var device: PseudoTerminal? = try PseudoTerminal()
        device?.link(at: place)
        try site.turn()
        #expect(site.lines.count == 1, "it is not looked for all the time")
        #expect(try #require(site.reader.deadline) <= site.now.advanced(by: InputReader.retry))
        try site.turn(after: 1000)
        #expect(site.lines.count == 2)
        device?.print(qorvo(1) + "{\"Block\":2, \"results\":[{\"Ad")
        #expect(site.turn { site.counters.reports == 1 })
        device = nil
        #expect(site.turn { site.lines.count == 3 })
        #expect(site.lines.last?.contains("is gone: cannot read \(place)") == true)
        for _ in 0..<50 { try site.turn(after: 100) }
        #expect(site.lines.count == 3)
        let other = try PseudoTerminal()
        other.link(at: place)
        try site.turn(after: 1000)
        #expect(site.lines.count == 4)
        // Half a line from before, half from after: together they would be a report.
        other.print("dr\":\"0x0001\",\"Status\":\"Ok\",\"D_cm\":100}]}\r\n" + qorvo(3))
        #expect(site.turn { site.counters.reports >= 2 })
        #expect(site.counters.reports == 2)
        #expect(site.reader.counters.map(\.failures) == [2])
    }

    @Test func `lines for the device come half a second apart, at each opening anew`() throws {
        let directory = try TemporaryDirectory()
        let place = directory.file("ttyACM0")
        let site = try Site(#"{serial: \#(place), format: pans, init: ["\r\r", "lec\r", stat]}"#)
        for _ in 0..<2 {
            // Nothing is there, or it is there no more.
            #expect(site.turn { site.reader.counters.map(\.isOpen) == [false] })
            let device = try PseudoTerminal()
            device.link(at: place)
            try site.turn(after: 1000)
            #expect(site.reader.deadline == site.now.advanced(by: SerialInput.pause))
            try site.turn(after: 499)
            #expect(device.received.isEmpty)
            for (sent, wait) in [("\r\r", 1), ("\r\rlec\r", 500), ("\r\rlec\rstat\r\n", 500)] {
                try site.turn(after: Int64(wait))
                #expect(device.received == Array(sent.utf8))
            }
            #expect(site.reader.deadline == nil)
        }
    }

    @Test func `while another bridge does the work it gets the devices`() throws {
        let device = try PseudoTerminal()
        let site = try Site("{serial: \(device.path), format: qorvo, accessory: lamp}")
        site.isWanted = false
        try site.turn()
        #expect(site.reader.deadline == nil)
        do {
            let other = try SerialPort(device.path, bitsPerSecond: 9600)
            site.isWanted = true
            try site.turn()
            #expect(site.lines.isEmpty, "who looks at a new device for a moment is no news")
            for _ in 0..<10 { try site.turn(after: 1000) }
            #expect(site.lines.count == 1)
            #expect(site.lines.last?.contains("another program has it") == true)
            _ = other
        }
        #expect(site.open())
        site.isWanted = false
        try site.turn()
        #expect(Waiting.until { (try? SerialPort(device.path, bitsPerSecond: 9600)) != nil })
    }

    @Test func `each datagram is a message of its own`() throws {
        let port = try DatagramSocket(host: "127.0.0.1", port: 0).port
        let site = try Site("{udp: \(port), host: 127.0.0.1, format: makerfabs, zones_around: tags}")
        #expect(site.open())
        let one = try DatagramSender(to: port)
        let other = try DatagramSender(to: port)
        one.send("AT+RANGE=tid:1,mask:01,seq:1,range:(22")
        other.send("0,0,0,0,0,0,0,0),ancid:(3,-1,-1,-1,-1,-1,-1,-1)\r\n")
        one.send("")
        other.send("AT+RANGE=tid:1,mask:01,seq:2,range:(220,0,0,0,0,0,0,0),ancid:(3,-1,-1,-1,-1,-1,-1,-1)\r\n")
        #expect(site.turn { site.reader.counters.first?.messages == 3 })
        #expect(site.counters.reports == 1)
        #expect(site.lines.last == "<6>inputs: input udp:127.0.0.1:\(port) is open\n")
    }

    @Test func `a flood of datagrams does not stop the loop`() throws {
        let port = try DatagramSocket(host: "127.0.0.1", port: 0).port
        let site = try Site("{udp: \(port), host: 127.0.0.1, format: json, accessory: lamp}")
        #expect(site.open())
        let sender = try DatagramSender(to: port)
        for _ in 0..<100 { sender.send("{\"distance\":1}") }
        try site.turn()
        #expect(site.reader.counters.map(\.messages) == [DatagramInput.mostAtOnce])
        try site.turn()
        #expect(site.reader.counters.map(\.messages) == [100])
    }

    @Test func `what cannot work says what to do`() throws {
        let site = try Site("{serial: /dev/null, format: pans}, {udp: 5000, host: 192.0.2.1, format: trek}")
        try site.turn()
        #expect(site.lines.count == 2)
        #expect(site.lines.first?.contains("no serial device") == true)
        #expect(site.lines.last?.contains("set host to an address of this machine") == true)
        let refused = SystemError(operation: "open it", code: 13)
        #expect(refused.inputHint.contains("dialout"))
    }
}
