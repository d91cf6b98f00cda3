// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
import MosquittoClient
import TestSupport
import Testing

typealias Version = ConnectionOptions.ProtocolVersion

@Suite("A MosquittoClient")
struct MosquittoClientTests {
    @Test("subscribes, publishes and receives", arguments: [Version.v311, .v5])
    func roundTrip(_ version: Version) throws {
        let broker = try MosquittoProcess()
        let driver = try ClientDriver(.local(broker.port, version: version))
        try driver.start()
        #expect(try driver.subscribe(["a/+", "b/#"]) == [1, 1])
        let id = try driver.client.publish(topic: "a/1", payload: Array("one".utf8), qualityOfService: .atLeastOnce)
        try driver.client.publish(topic: "b/x/y", payload: [UInt8](), qualityOfService: .atMostOnce)
        try driver.run {
            driver.messages.count == 2 && driver.events.contains(.acknowledged(messageID: id, reasonCode: 0))
        }
        #expect(driver.messages.sorted() == ["a/1 one", "b/x/y "])
        driver.client.disconnect()
        try driver.run { driver.client.descriptor < 0 }
        #expect(driver.events.last == .disconnected(nil))
        #expect(!driver.client.isConnected)
    }

    @Test("tells what the broker offers")
    func acknowledgement() throws {
        let broker = try MosquittoProcess(extra: ["max_inflight_messages 33", "max_packet_size 5000"])
        let acknowledgement = try ClientDriver(.local(broker.port)).start()
        #expect(!acknowledgement.isSessionPresent)
        #expect(acknowledgement.receiveMaximum == 33)
        #expect(acknowledgement.maximumPacketSize == 5000)
        #expect(acknowledgement.isRetainAvailable)
    }

    @Test("works with a descriptor beyond what select can take")
    func highDescriptor() throws {
        let broker = try MosquittoProcess()
        var limit = rlimit()
        _ = unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = min(limit.rlim_max, 8192)
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        var fillers: [Int32] = []
        defer { for filler in fillers { _ = close(filler) } }
        while (fillers.last ?? 0) < 1100 {
            let filler = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
            try #require(filler >= 0)
            fillers.append(filler)
        }
        let driver = try ClientDriver(.local(broker.port))
        try driver.start()
        #expect(driver.client.descriptor >= 1024)
        #expect(try driver.subscribe(["x"]) == [1])
    }

    @Test("keeps its session over the connection", arguments: [Version.v311, .v5])
    func persistentSession(_ version: Version) throws {
        let broker = try MosquittoProcess()
        let options = ConnectionOptions.local(broker.port, "keeper", version: version, cleanStart: false)
        do {
            let first = try ClientDriver(options)
            #expect(try !first.start().isSessionPresent)
            _ = try first.subscribe(["keep"])
            first.client.disconnect()
            try first.run { first.client.descriptor < 0 }
        }
        let sender = try MQTTTestClient(port: broker.port, clientIdentifier: "sender")
        try sender.publish("keep", "while away")
        let second = try ClientDriver(options)
        #expect(try second.start().isSessionPresent)
        try second.run { !second.messages.isEmpty }
        #expect(second.messages == ["keep while away"])
    }

    @Test("has its will published when it vanishes, and not when it says goodbye", arguments: [true, false])
    func will(_ vanishes: Bool) throws {
        let broker = try MosquittoProcess()
        let watcher = try MQTTTestClient(port: broker.port, clientIdentifier: "watcher")
        try watcher.subscribe("state", "end")
        let will = Will(topic: "state", payload: Array("offline".utf8))
        let client = try MQTTTestClient(port: broker.port, clientIdentifier: "mortal", will: will)
        if vanishes { client.drop() } else { client.disconnect() }
        if vanishes { #expect(try watcher.message(on: "state").text == "offline") }
        try watcher.publish("end", "")
        _ = try watcher.message(on: "end")
        #expect(watcher.messages.contains { $0.topic == "state" } == vanishes)
    }

    @Test("says goodbye although messages keep coming")
    func goodbyeUnderLoad() throws {
        let broker = try MosquittoProcess()
        let watcher = try MQTTTestClient(port: broker.port, clientIdentifier: "watcher")
        try watcher.subscribe("state", "end")
        var options = ConnectionOptions.local(broker.port)
        options.will = Will(topic: "state", payload: Array("offline".utf8))
        let driver = try ClientDriver(options)
        try driver.start()
        _ = try driver.subscribe(["flood"])
        for number in 0..<50 { try watcher.publish("flood", "\(number)") }
        driver.client.disconnect()
        try driver.run { driver.client.descriptor < 0 }
        #expect(driver.events.last == .disconnected(nil))
        try watcher.publish("end", "")
        _ = try watcher.message(on: "end")
        #expect(!watcher.messages.contains { $0.topic == "state" })
    }

    @Test("stops reading at its budget and goes on later")
    func budget() throws {
        let broker = try MosquittoProcess()
        let driver = try ClientDriver(.local(broker.port))
        try driver.start()
        _ = try driver.subscribe(["n"], .atMostOnce)
        let sender = try MQTTTestClient(port: broker.port, clientIdentifier: "sender")
        for number in 0..<40 { try sender.publish("n", "\(number)") }
        var hasMore = true
        while driver.messages.isEmpty { hasMore = try driver.client.read(maximumMessages: 3) }
        #expect(hasMore)
        #expect(driver.messages.count == 3)
        #expect(try driver.client.read(nanoseconds: 0))
        #expect(driver.messages.count == 11)
        try driver.run { driver.messages.count == 40 }
        #expect(driver.messages == (0..<40).map { "n \($0)" })
    }

    @Test("reads thousands of acknowledged messages although the library's own pipe is full", arguments: [1, 1000])
    func strayErrorNumber(_ receiveMaximum: Int) throws {
        let broker = try MosquittoProcess(extra: ["max_inflight_messages 0", "max_queued_messages 0"])
        var options = ConnectionOptions.local(broker.port)
        options.receiveMaximum = receiveMaximum
        let driver = try ClientDriver(options)
        try driver.start()
        _ = try driver.subscribe(["n"])
        for number in 0..<1500 {
            try driver.client.publish(topic: "n", payload: Array("\(number)".utf8), qualityOfService: .atMostOnce)
        }
        try driver.client.publish(topic: "n", payload: Array("last".utf8), qualityOfService: .atLeastOnce)
        try driver.run { driver.messages.last == "n last" }
        #expect(driver.messages.count == 1501)
    }

    @Test("may publish and say goodbye from within a delegate call, but not read")
    func reentrance() throws {
        let broker = try MosquittoProcess()
        let driver = try ClientDriver(.local(broker.port))
        var kinds: [MosquittoError.Kind] = []
        driver.onMessage = { client, bytes in
            do throws(MosquittoError) { _ = try client.read() } catch { kinds.append(error.kind) }
            if bytes == Array("ping".utf8) {
                _ = try? client.publish(topic: "x", payload: Array("pong".utf8), qualityOfService: .atLeastOnce)
            } else {
                client.disconnect()
            }
        }
        try driver.start()
        _ = try driver.subscribe(["x"])
        try driver.client.publish(topic: "x", payload: Array("ping".utf8), qualityOfService: .atMostOnce)
        try driver.run { driver.client.descriptor < 0 }
        #expect(driver.messages == ["x ping", "x pong"])
        #expect(kinds == [.other, .other])
    }

    @Test("lets go of everything when it is dropped")
    func descriptors() throws {
        let broker = try MosquittoProcess()
        weak var driver: ClientDriver?
        weak var client: MosquittoClient?
        var descriptor: Int32 = -1
        do {
            let strong = try ClientDriver(.local(broker.port))
            try strong.start()
            (driver, client, descriptor) = (strong, strong.client, strong.client.descriptor)
            strong.client.renewQuickAcknowledgement()
        }
        #expect(driver == nil)
        #expect(client == nil)
        #expect(descriptor >= 0)
        #expect(Waiting.until { broker.log.contains("Client tester") })
    }

    @Test("is cut off, and says so, when another client takes its name")
    func takeover() throws {
        let broker = try MosquittoProcess()
        let first = try ClientDriver(.local(broker.port, "same"))
        try first.start()
        let second = try MQTTTestClient(port: broker.port, clientIdentifier: "same")
        let error = #expect(throws: MosquittoError.self) { try first.run { false } }
        #expect(error?.isRetryable == true)
        #expect(second.isConnected)
        #expect(first.events.last == error.map { .disconnected($0) })
        let again = #expect(throws: MosquittoError.self) { try first.client.write() }
        #expect(again == error)
    }
}
