// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import TestSupport
import Testing

struct NetworkProbeTests {
    @Test("an address in numbers needs no looking up", arguments: ["127.0.0.1", "::1"])
    func numbers(_ host: String) throws {
        #expect(try NetworkProbe.addresses(of: host, port: 1883).map(\.description) == [host])
    }

    @Test("a name that nobody has is told in the system's words")
    func unknown() {
        let failure = #expect(throws: NetworkProbe.Failure.self) {
            try NetworkProbe.addresses(of: "no-such-host.invalid", port: 1883)
        }
        #expect(failure?.description.isEmpty == false)
    }

    @Test("a port that listens takes a connection, one that does not refuses it")
    func connect() throws {
        let server = try FakeServer { $0.waitForClose() }
        let listening = try #require(try NetworkProbe.addresses(of: "127.0.0.1", port: server.port).first)
        try NetworkProbe.connect(to: listening, timeout: .seconds(10))
        let closed = try #require(try NetworkProbe.addresses(of: "127.0.0.1", port: try FreePort.find()).first)
        let failure = #expect(throws: NetworkProbe.Failure.self) {
            try NetworkProbe.connect(to: closed, timeout: .seconds(10))
        }
        #expect(failure?.description == "Connection refused")
    }
}
