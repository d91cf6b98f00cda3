// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import TestSupport
import Testing

/// One way in which TLS can go wrong, and how it is told.
enum TLSTrouble: String, CaseIterable, Sendable {
    case wrongAuthority, expired, wrongName
    case certificateMissing, certificateRefused, certificateExpired, passphraseWrong
    case plainPort, securedPort

    /// The step that doctor names.
    var step: String {
        switch self {
        case .wrongAuthority: "tls authority"
        case .expired: "tls expiry"
        case .wrongName: "tls name"
        case .certificateMissing, .certificateRefused, .certificateExpired: "tls client certificate"
        case .passphraseWrong: "tls files"
        case .plainPort: "tls handshake"
        case .securedPort: "mqtt"
        }
    }

    /// What the one line of the log says.
    var hint: String {
        switch self {
        case .wrongAuthority: "the broker's certificate is not accepted: unable to get local issuer certificate"
        case .expired: "the broker's certificate is not accepted: certificate has expired"
        case .wrongName: "the broker's certificate is not for localhost"
        // The broker's own word may be lost when it hangs up at once.
        case .certificateMissing, .certificateRefused, .certificateExpired: "client certificate"
        case .passphraseWrong: "unable to load client key file"
        case .plainPort: "Does that port speak TLS"
        case .securedPort: "TLS"
        }
    }

    private var asksForCertificate: Bool {
        switch self {
        case .certificateMissing, .certificateRefused, .certificateExpired, .passphraseWrong: true
        case .wrongAuthority, .expired, .wrongName, .plainPort, .securedPort: false
        }
    }

    /// A site that has it.
    func site() throws -> SecuredSite {
        let site = try SecuredSite(asksForCertificate: asksForCertificate)
        switch self {
        case .wrongAuthority: try site.replaceServer(site.stranger.issue(["localhost"]))
        case .expired: try site.replaceServer(site.authority.issue(["localhost"], days: -1))
        case .wrongName: try site.replaceServer(site.authority.issue(["elsewhere.example"]))
        case .certificateRefused: try site.replaceClient(site.stranger.issue(["bridge"]))
        case .certificateExpired: try site.replaceClient(site.authority.issue(["bridge"], days: -1))
        case .passphraseWrong:
            try site.replaceClient(site.authority.issue(["bridge"], passphrase: "something else"))
        case .certificateMissing, .plainPort, .securedPort: break
        }
        return site
    }

    /// Mends it on whichever side it is; false if that needs another configuration.
    func mend(_ site: SecuredSite) throws -> Bool {
        switch self {
        case .wrongAuthority, .expired, .wrongName:
            try site.replaceServer(site.authority.issue(["localhost"]))
        case .certificateRefused, .certificateExpired:
            try site.replaceClient(site.authority.issue(["bridge"]))
        case .passphraseWrong:
            try site.replaceClient(site.authority.issue(["bridge"], passphrase: SecuredSite.passphrase))
        case .certificateMissing, .plainPort, .securedPort:
            return false
        }
        return true
    }

    func settings(_ site: SecuredSite) -> [String] {
        switch self {
        case .plainPort: site.settings(port: site.broker.port)
        case .securedPort: site.settings(isSecured: false)
        case .wrongAuthority, .expired, .wrongName, .certificateMissing, .certificateRefused, .certificateExpired,
            .passphraseWrong:
            site.settings()
        }
    }
}

@Suite(.onItsOwnThread)
struct TLSMatrixTests {
    @Test(
        "The bridge says once what is wrong, and comes up by itself when it is mended",
        arguments: TLSTrouble.allCases
    )
    func run(_ trouble: TLSTrouble) throws {
        let site = try trouble.site()
        let bridge = try BridgeProcess(["run"] + trouble.settings(site))
        #expect(Waiting.until { bridge.log.contains(trouble.hint) }, "\(bridge.log)")
        let complaints = bridge.logLines.filter { $0.contains(" warning mqtt: ") }
        #expect(complaints.count == 1, "\(bridge.log)")
        if try trouble.mend(site) {
            #expect(Waiting.until(.seconds(90)) { bridge.log.contains("connected to localhost:") }, "\(bridge.log)")
        } else {
            #expect(bridge.isRunning)
        }
        #expect(!bridge.log.contains(SecuredSite.passphrase))
        #expect(!bridge.log.contains("something else"))
        #expect(bridge.stop() == .exited(status: 0))
    }

    @Test("Doctor names the step, and stops there", arguments: TLSTrouble.allCases)
    func doctor(_ trouble: TLSTrouble) throws {
        let site = try trouble.site()
        let doctor = try BridgeProcess(["doctor"] + trouble.settings(site))
        #expect(doctor.wait() == .exited(status: 69), "\(doctor.log)")
        let lines = doctor.output.split(separator: "\n").map(String.init)
        #expect(lines.last?.hasPrefix("failed   \(trouble.step)  ") == true, "\(doctor.output)")
        #expect(lines.last?.contains(trouble.hint) == true, "\(doctor.output)")
        #expect(lines.dropLast().allSatisfy { $0.hasPrefix("ok ") }, "\(doctor.output)")
        #expect(!doctor.output.contains(SecuredSite.passphrase))
        if try trouble.mend(site) {
            let doctor = try BridgeProcess(["doctor"] + trouble.settings(site))
            #expect(doctor.wait() == .exited(status: 0), "\(doctor.output)")
        }
    }

    @Test("What is right is right: with and without our own certificate, from an encrypted key too")
    func right() throws {
        let plain = try SecuredSite()
        let asking = try SecuredSite(asksForCertificate: true)
        for passphrase in [nil, SecuredSite.passphrase] {
            try asking.replaceClient(asking.authority.issue(["bridge"], passphrase: passphrase))
            for settings in [plain.settings(), asking.settings()] {
                let doctor = try BridgeProcess(["doctor"] + settings)
                #expect(doctor.wait() == .exited(status: 0), "\(doctor.output)")
                for step in ["files", "handshake", "authority", "expiry", "name", "client certificate"] {
                    #expect(doctor.output.contains("ok       tls \(step) "), "\(doctor.output)")
                }
                let bridge = try BridgeProcess(["run"] + settings)
                #expect(Waiting.until { bridge.log.contains("connected to localhost:") }, "\(bridge.log)")
                #expect(!bridge.log.contains(" warning: "))
                #expect(bridge.stop() == .exited(status: 0))
            }
        }
    }

    @Test("A certificate file that is missing is named, and taken when it comes")
    func missingFile() throws {
        let site = try SecuredSite(asksForCertificate: true)
        let identity = try site.authority.issue(["bridge"])
        try site.replaceClient(identity)
        let settings = site.settings()
        let file = try #require(settings.first { $0.hasPrefix("mqtt.tls.key=") }?.dropFirst("mqtt.tls.key=".count))
        _ = try ChildProcess(["rm", String(file)]).wait()
        let doctor = try BridgeProcess(["doctor"] + settings)
        #expect(doctor.wait() == .exited(status: 69))
        #expect(doctor.output.contains("failed   tls files "), "\(doctor.output)")
        #expect(doctor.output.contains(file))
        let bridge = try BridgeProcess(["run"] + settings)
        #expect(Waiting.until { bridge.log.contains(file) }, "\(bridge.log)")
        try site.replaceClient(identity)
        #expect(Waiting.until(.seconds(90)) { bridge.log.contains("connected to localhost:") }, "\(bridge.log)")
        bridge.stop()
    }
}
