// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import TestSupport
import Testing

/// A command line that fails, and how.
struct FailingCommand: Sendable, CustomTestStringConvertible {
    var arguments: [String]
    var status: Int32
    /// What the message must name.
    var hint: String
    var testDescription: String { arguments.joined(separator: " ") }

    static let all =
        [
            FailingCommand(arguments: ["teleport"], status: 64, hint: "teleport"),
            FailingCommand(arguments: [], status: 64, hint: "command"),
            FailingCommand(arguments: ["run", "--colour"], status: 64, hint: "--colour"),
            FailingCommand(arguments: ["replay"], status: 64, hint: "replay"),
            FailingCommand(arguments: ["demo", "--duration", "soon"], status: 64, hint: "soon"),
            FailingCommand(arguments: ["replay", "no-such-walk.csv"], status: 65, hint: "no-such-walk.csv"),
            FailingCommand(arguments: ["replay", #filePath], status: 65, hint: "t_s"),
            FailingCommand(arguments: ["run", "--config", "no-such-file.yaml"], status: 78, hint: "no-such-file.yaml"),
            FailingCommand(arguments: ["run", "--set", "zones.near.radius=-1"], status: 78, hint: "zones.near.radius"),
            FailingCommand(arguments: ["run", "--set", "zone.near.radius=1"], status: 78, hint: "zones"),
            FailingCommand(
                arguments: ["simulate", "--duration", "1s", "--set", "mqtt.host=127.0.0.1", "--set", "mqtt.port=1"],
                status: 69,
                hint: "127.0.0.1:1"
            ),
            FailingCommand(arguments: ["--hlep"], status: 64, hint: "did you mean --help?"),
            FailingCommand(arguments: ["completions", "tcsh"], status: 64, hint: "bash"),
            FailingCommand(arguments: ["man", "run", "--output", "x"], status: 64, hint: "leave out the command"),
            FailingCommand(arguments: ["man", "--output", "/proc/none"], status: 69, hint: "/proc/none"),
            FailingCommand(arguments: ["record", "--overwrite"], status: 64, hint: "--output"),
            FailingCommand(arguments: ["record", "--accessory", "a/b"], status: 64, hint: "a/b"),
            FailingCommand(arguments: ["record", "--output", "/proc/none/x"], status: 69, hint: "/proc/none/x"),
        ]
        + ["health", "purge"].flatMap { command in
            [
                FailingCommand(
                    arguments: [command, "--set", "zones.near.radius=-1"],
                    status: 78,
                    hint: "zones.near.radius"
                ),
                FailingCommand(
                    arguments: [command, "--set", "mqtt.host=127.0.0.1", "--set", "mqtt.port=1"],
                    status: 69,
                    hint: "127.0.0.1:1: connection refused"
                ),
            ]
        }
}

@Suite(.onItsOwnThread)
struct CommandLineTests {
    @Test("A command that cannot do its work says why and exits with the code for it", arguments: FailingCommand.all)
    func failing(_ command: FailingCommand) throws {
        let process = try BridgeProcess(command.arguments)
        #expect(process.wait() == .exited(status: command.status), "\(process.log)")
        #expect(process.log.contains(command.hint), "\(process.log)")
        #expect(process.output.isEmpty)
    }

    @Test("Every manual page is written, and a missing folder made")
    func manualPages() throws {
        let directory = try TemporaryDirectory()
        let folder = directory.file("man/man1")
        let process = try BridgeProcess(["man", "--output", folder])
        #expect(process.wait() == .exited(status: 0), "\(process.log)")
        #expect(directory.text(of: "man/man1/nearby-bridge.1").contains(".TH NEARBY\\-BRIDGE 1 "))
        let one = try BridgeProcess(["man", "run"])
        #expect(one.wait() == .exited(status: 0))
        #expect(directory.text(of: "man/man1/nearby-bridge-run.1") == one.output)
    }

    @Test(
        "Help goes to standard output and no colour is ever in it",
        arguments: [["help"], ["help", "purge"], ["purge", "--help"]]
    )
    func help(_ arguments: [String]) throws {
        let process = try BridgeProcess(arguments)
        #expect(process.wait() == .exited(status: 0))
        #expect(process.output.hasPrefix("Usage: nearby-bridge "))
        #expect(!process.output.contains("\u{1B}"))
        #expect(process.log.isEmpty)
    }

    @Test("The version is told by command and by option", arguments: ["version", "--version"])
    func version(_ argument: String) throws {
        let process = try BridgeProcess([argument])
        #expect(process.wait() == .exited(status: 0))
        #expect(process.output.hasPrefix("nearby-bridge "))
        #expect(process.output.split(separator: ".").count == 3)
    }
}
