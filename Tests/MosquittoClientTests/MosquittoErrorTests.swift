// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import MosquittoClient
import TestSupport
import Testing

@Suite("A connection that fails")
struct MosquittoErrorTests {
    @Test("says that nobody listens")
    func refused() throws {
        let port = try FreePort.find()
        let error = try #require(try ClientDriver(.local(port, host: "localhost")).failure())
        #expect(error.kind == .refused)
        #expect(error.isRetryable)
        #expect(
            error.description
                == "cannot connect to localhost:\(port): connection refused. Is the broker running and listening there?"
        )
    }

    @Test("says that the name is unknown")
    func lookup() throws {
        let error = try #require(try ClientDriver(.local(1883, host: "no-such-host.invalid")).failure())
        #expect(error.kind == .lookup)
        #expect(error.isRetryable)
        #expect(error.description.contains("no-such-host.invalid:1883"))
    }

    @Test("says that the credentials are wrong and does not show them", arguments: [Version.v311, .v5])
    func credentials(_ version: Version) throws {
        let broker = try MosquittoProcess(allowAnonymous: false)
        var options = ConnectionOptions.local(broker.port, version: version)
        (options.username, options.password) = ("somebody", "secret-words")
        let driver = try ClientDriver(options)
        let error = try #require(driver.failure())
        #expect(error.kind == .authentication)
        #expect(!error.isRetryable)
        #expect(!error.description.contains("secret-words"))
        #expect(driver.events == [.refused(error)])
    }

    @Test(
        "tells the broker's refusals apart",
        arguments: [
            ([0x20, 0x02, 0x00, 0x01], Version.v311, MosquittoError.Kind.protocolVersion),
            ([0x20, 0x02, 0x00, 0x02], .v311, .identifierRejected),
            ([0x20, 0x02, 0x00, 0x03], .v311, .unavailable),
            ([0x20, 0x02, 0x00, 0x05], .v311, .authentication),
            ([0x20, 0x02, 0x00, 0x01], .v5, .protocolVersion),
            ([0x20, 0x03, 0x00, 0x84, 0x00], .v5, .protocolVersion),
            ([0x20, 0x03, 0x00, 0x85, 0x00], .v5, .identifierRejected),
            ([0x20, 0x03, 0x00, 0x86, 0x00], .v5, .authentication),
            ([0x20, 0x03, 0x00, 0x89, 0x00], .v5, .unavailable),
            ([0x20, 0x03, 0x00, 0x8A, 0x00], .v5, .authentication),
        ] as [([UInt8], Version, MosquittoError.Kind)]
    )
    func refusals(_ answer: [UInt8], _ version: Version, _ kind: MosquittoError.Kind) throws {
        let server = try FakeServer { connection in
            _ = connection.read()
            connection.write(answer)
        }
        let driver = try ClientDriver(.local(server.port, version: version))
        let error = try #require(driver.failure())
        #expect(error.kind == kind)
        #expect(driver.events == [.refused(error)])
    }

    @Test(
        "survives answers that are not MQTT",
        arguments: [
            Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8), [0x20, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [0x20, 0x00],
            [0x20, 0x01, 0x00], [0x30, 0x03, 0x00, 0x01, 0x61], [0x00, 0x00],
            [0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x46],
        ] as [[UInt8]],
        [Version.v311, .v5]
    )
    func garbage(_ answer: [UInt8], _ version: Version) throws {
        let server = try FakeServer { connection in
            _ = connection.read()
            connection.write(answer)
        }
        let driver = try ClientDriver(.local(server.port, version: version))
        let error = try #require(driver.failure())
        #expect([.protocolError, .closedByBroker].contains(error.kind), "\(error)")
        #expect(driver.events == [.disconnected(error)])
        #expect(driver.turns < 100)
    }

    @Test("gives up when the broker accepts TCP and then stays silent", arguments: [false, true])
    func silence(_ isSecured: Bool) throws {
        let server = try FakeServer { connection in connection.waitForClose() }
        var options = ConnectionOptions.local(server.port, tls: isSecured ? TLSOptions() : nil)
        options.keepAlive = .seconds(5)
        let driver = try ClientDriver(options)
        let error = try #require(driver.failure())
        #expect(error.kind == .keepAlive)
        #expect(error.isRetryable)
        #expect(driver.turns < 200)
    }

    @Test("notices a connection that died without a word")
    func halfOpen() throws {
        let broker = try MosquittoProcess()
        var options = ConnectionOptions.local(broker.port)
        options.keepAlive = .seconds(5)
        let driver = try ClientDriver(options)
        try driver.start()
        broker.freeze(true)
        let error = #expect(throws: MosquittoError.self) { try driver.run { false } }
        #expect(error?.kind == .keepAlive)
        #expect(driver.turns < 500)
        broker.freeze(false)
    }

    @Test("reports a reset, and does not spin", arguments: [false, true], [false, true])
    func reset(_ isSecured: Bool, _ isOrderly: Bool) throws {
        let server = try FakeServer { connection in
            _ = connection.read()
            if !isOrderly { connection.reset() }
        }
        let driver = try ClientDriver(.local(server.port, tls: isSecured ? TLSOptions() : nil))
        let error = try #require(driver.failure())
        #expect(error.kind == (isSecured ? .tls : .closedByBroker), "\(error)")
        #expect(driver.turns < 100)
        #expect(driver.client.descriptor < 0)
    }

    @Test("reports a broker that dies", arguments: [Version.v311, .v5])
    func brokerDeath(_ version: Version) throws {
        let broker = try MosquittoProcess()
        let driver = try ClientDriver(.local(broker.port, version: version))
        try driver.start()
        broker.kill()
        let error = #expect(throws: MosquittoError.self) { try driver.run { false } }
        #expect(error?.kind == .closedByBroker)
        #expect(error?.isRetryable == true)
    }

    @Test(
        "understands the broker's goodbye",
        arguments: [
            (0x8E, .sessionTakenOver), (0x8D, .keepAlive), (0x8B, .closedByBroker), (0x95, .payloadTooLarge),
            (0x00, .closedByBroker),
        ] as [(UInt8, MosquittoError.Kind)]
    )
    func farewell(_ reason: UInt8, _ kind: MosquittoError.Kind) throws {
        let server = try FakeServer { connection in
            _ = connection.read()
            connection.write([0x20, 0x03, 0x00, 0x00, 0x00])
            connection.write([0xE0, 0x02, reason, 0x00])
            connection.waitForClose()
        }
        let driver = try ClientDriver(.local(server.port))
        let error = try #require(driver.failure())
        #expect(error.kind == kind, "\(error)")
        #expect(driver.events.count == 2)
        #expect(driver.events.last == .disconnected(error))
    }

    @Test("ends quietly when it is told to before the broker has answered", arguments: [false, true])
    func abandoned(_ isSecured: Bool) throws {
        let server = try FakeServer { connection in
            _ = connection.read()
            connection.write([0x16, 0x03])
            connection.waitForClose()
        }
        let driver = try ClientDriver(.local(server.port, tls: isSecured ? TLSOptions() : nil))
        driver.client.disconnect()
        try driver.client.connect()
        try driver.turn()
        driver.client.disconnect()
        try driver.run { driver.client.descriptor < 0 }
        #expect(driver.events == [.disconnected(nil)])
        #expect(driver.turns < 10)
    }

    @Test("does not spin while its goodbye waits for a broker that stands still")
    func stuckGoodbye() throws {
        let broker = try MosquittoProcess()
        var options = ConnectionOptions.local(broker.port)
        options.keepAlive = .seconds(5)
        let driver = try ClientDriver(options)
        try driver.start()
        _ = try driver.subscribe(["x"])
        try driver.client.publish(topic: "x", payload: [1], qualityOfService: .atMostOnce)
        try driver.run { !driver.messages.isEmpty }
        broker.freeze(true)
        for _ in 0..<2000 {
            try driver.client.publish(
                topic: "x",
                payload: [UInt8](repeating: 0, count: 10_000),
                qualityOfService: .atMostOnce
            )
        }
        driver.client.disconnect()
        let turnsBefore = driver.turns
        try driver.run { driver.client.descriptor < 0 }
        #expect(driver.turns - turnsBefore < 300)
        #expect(driver.events.last == .disconnected(nil))
        broker.freeze(false)
    }

    @Test("refuses use before and after, and queues nothing")
    func notConnected() throws {
        let broker = try MosquittoProcess()
        let driver = try ClientDriver(.local(broker.port))
        func kind(_ body: () throws -> Void) -> MosquittoError.Kind? {
            do { try body() } catch { return (error as? MosquittoError)?.kind }
            return nil
        }
        let publish = {
            _ = try driver.client.publish(topic: "a", payload: [1], qualityOfService: .atLeastOnce)
        }
        #expect(kind(publish) == .notConnected)
        #expect(kind { _ = try driver.client.read() } == .notConnected)
        #expect(kind { try driver.client.write() } == .notConnected)
        #expect(kind { try driver.client.maintain() } == .notConnected)
        #expect(driver.client.descriptor < 0)
        try driver.client.connect()
        #expect(kind(publish) == .notConnected)
        #expect(kind { try driver.client.subscribe(["a"], qualityOfService: .atLeastOnce) } == .notConnected)
        try driver.run { driver.client.isConnected }
        driver.client.disconnect()
        #expect(kind(publish) == .notConnected)
        try driver.run { driver.client.descriptor < 0 }
        #expect(kind { try driver.client.write() } == .notConnected)
    }
}
