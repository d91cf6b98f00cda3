// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import MosquittoClient
import TestSupport
import Testing

@Suite("Connection options")
struct ConnectionOptionsTests {
    private func problem(_ change: (inout ConnectionOptions) -> Void) -> String? {
        var options = ConnectionOptions.local(1883)
        change(&options)
        do {
            _ = try MosquittoClient(options: options)
            return nil
        } catch {
            return error.kind == .configuration ? error.detail : "not a configuration error: \(error)"
        }
    }

    @Test("are accepted as they come")
    func fine() { #expect(problem { _ in } == nil) }

    @Test("that cannot work are refused with the reason")
    func refused() {
        #expect(problem { $0.host = "" } == "there is no host name")
        #expect(problem { $0.port = 0 } == "the port must be between 1 and 65535")
        #expect(problem { $0.port = 65_536 } == "the port must be between 1 and 65535")
        #expect(problem { $0.clientIdentifier = "" }?.contains("client identifier") == true)
        #expect(problem { $0.clientIdentifier = "a\u{0}b" }?.contains("client identifier") == true)
        #expect(problem { $0.keepAlive = .seconds(4) } == "the keep-alive must be between 5 s and 18 h")
        #expect(problem { $0.sessionExpiry = .seconds(-1) } == "the session expiry must not be negative")
        #expect(problem { $0.receiveMaximum = 0 }?.contains("receive maximum") == true)
        #expect(problem { $0.password = "p" } == "a password needs a user name")
        #expect(problem { $0.will = Will(topic: "a/#", payload: []) } == "the will's topic a/# is not valid")
    }

    @Test("name the TLS file that cannot be read")
    func files() throws {
        #expect(
            problem { $0.tls = TLSOptions(authorityFile: "/no/ca") } == "cannot read /no/ca: No such file or directory"
        )
        #expect(
            problem { $0.tls = TLSOptions(certificateFile: "/no/cert") }
                == "a client certificate and its key go together"
        )
        let directory = try TemporaryDirectory()
        let file = try directory.write("not a certificate", to: "ca.pem")
        let server = try FakeServer { connection in connection.waitForClose() }
        let driver = try ClientDriver(.local(server.port, tls: TLSOptions(authorityFile: file)))
        let error = try #require(driver.failure())
        #expect(error.kind == .tls)
        #expect(error.description.contains(file), "\(error)")
    }

    @Test("let a session live for ever")
    func neverExpires() throws {
        let broker = try MosquittoProcess()
        var options = ConnectionOptions.local(broker.port, cleanStart: false)
        options.sessionExpiry = ConnectionOptions.neverExpires
        try ClientDriver(options).start()
        options.sessionExpiry = .seconds(Int64.max)
        try ClientDriver(options).start()
        #expect(broker.log.contains("as tester"))
    }
}
