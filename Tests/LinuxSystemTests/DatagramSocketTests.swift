// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import TestSupport
import Testing

@Suite("A datagram socket")
struct DatagramSocketTests {
    private var buffer = [UInt8](repeating: 0, count: 64)

    private mutating func receive(_ socket: DatagramSocket) throws -> DatagramSocket.Reception {
        var poller = Poller()
        _ = poller.add(socket.descriptor)
        try poller.wait(timeout: .seconds(30))
        return try socket.receive(into: &buffer)
    }

    @Test("takes whole datagrams from whoever sends", arguments: ["127.0.0.1", "0.0.0.0", "::"])
    mutating func datagrams(_ host: String) throws {
        let socket = try DatagramSocket(host: host, port: 0)
        #expect(try socket.receive(into: &buffer) == .nothing)
        for text in ["one", "", "three"] {
            // Each from a port of its own.
            try DatagramSender(to: socket.port).send(text)
            #expect(try receive(socket) == .datagram(count: text.utf8.count))
            #expect(buffer.starts(with: text.utf8))
        }
        #expect(try socket.receive(into: &buffer) == .nothing)
    }

    @Test("tells a datagram that does not fit from one that just does")
    mutating func truncation() throws {
        let socket = try DatagramSocket(host: "127.0.0.1", port: 0)
        let sender = try DatagramSender(to: socket.port)
        sender.send([UInt8](repeating: 1, count: 64))
        #expect(try receive(socket) == .datagram(count: 64))
        sender.send([UInt8](repeating: 2, count: 65))
        #expect(try receive(socket) == .truncated(count: 65))
        #expect(buffer == [UInt8](repeating: 2, count: 64))
        sender.send("next")
        #expect(try receive(socket) == .datagram(count: 4))
    }

    @Test("says that a port is in use, and takes it once it is free")
    func inUse() throws {
        let port: Int
        do {
            let first = try DatagramSocket(host: "0.0.0.0", port: 0)
            port = first.port
            let error = #expect(throws: SystemError.self) { try DatagramSocket(host: "127.0.0.1", port: port) }
            #expect(error?.isInUse == true)
            #expect(error?.description.contains("UDP port \(port) of 127.0.0.1") == true)
        }
        // A program that another test starts just now has our descriptors for a moment.
        #expect(Waiting.until { (try? DatagramSocket(host: "127.0.0.1", port: port).port) == port })
    }

    @Test("refuses what is no address, and addresses of others")
    func addresses() {
        for host in ["localhost", "", "1.2.3", "256.0.0.1", "fe80::1::2"] {
            #expect(!DatagramSocket.isAddress(host), "\(host)")
            #expect(throws: SystemError.self) { try DatagramSocket(host: host, port: 0) }
        }
        for host in ["0.0.0.0", "127.0.0.1", "::", "::1"] { #expect(DatagramSocket.isAddress(host), "\(host)") }
        let error = #expect(throws: SystemError.self) { try DatagramSocket(host: "192.0.2.1", port: 0) }
        #expect(error?.isForeignAddress == true)
    }
}
