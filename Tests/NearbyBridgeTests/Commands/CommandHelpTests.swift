// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyBridge
import Testing

struct CommandHelpTests {
    static let commands: [CommandName?] = [nil] + CommandName.allCases

    @Test(arguments: commands)
    func `help fits eighty columns and has no loose ends`(_ command: CommandName?) {
        let text = CommandHelp.text(for: command)
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            #expect(line.count <= 80, "\(line)")
            #expect(line.last != " ", "\(line)")
        }
        #expect(text.hasPrefix("Usage: nearby-bridge") && text.hasSuffix("\n") && !text.hasSuffix("\n\n"))
    }

    @Test(arguments: CommandName.allCases)
    func `help names every option, and every example can be parsed`(_ name: CommandName) throws {
        let text = CommandHelp.text(for: name)
        let description = CommandDescription.of(name)
        for option in description.options + CommandDescription.common {
            #expect(text.contains("  --\(option.name)"))
        }
        for example in description.examples {
            let words = example.command.split(separator: " ").map { String($0) }
                .prefix { !$0.hasPrefix(">") && $0 != "|" }
            guard case .command(let parsed) = try ArgumentParser.parse(Array(words.dropFirst())) else {
                Issue.record("no command: \(example.command)")
                continue
            }
            #expect(parsed.command == name)
        }
    }

    @Test func `the overview names every command and every exit code`() {
        let text = CommandHelp.text(for: nil)
        for name in CommandName.allCases { #expect(text.contains("  \(name.rawValue) ")) }
        for code in ExitCode.allCases { #expect(text.contains("  \(code.rawValue) ")) }
    }

    @Test(arguments: CommandName.allCases)
    func `help tells how a command may end`(_ name: CommandName) {
        let text = CommandHelp.text(for: name)
        let codes = CommandDescription.of(name).exitCodes
        #expect(codes.starts(with: [.ok, .usage]))
        let takesConfiguration = CommandDescription.of(name).options.contains { $0.name == "config" }
        #expect(codes.contains(.configuration) == takesConfiguration)
        for code in ExitCode.allCases {
            #expect(
                text.contains("  \(code.rawValue)\(code == .ok ? " " : "")  \(code.summary)") == codes.contains(code)
            )
        }
    }

    @Test func `options are laid out in two columns`() {
        #expect(
            CommandHelp.text(for: .demo) == """
                Usage: nearby-bridge demo [options]

                Starts a broker of its own on a free port, the bridge, and accessories that do
                the whole handshake and play recorded walks, and prints session and zone events
                as they happen: one accessory without trouble, one whose first start fails, one
                that falls silent for a while. Everything ends together.

                Options:
                  --duration TIME  End by itself after so long, such as 30s or 5m. Without it,
                                   Ctrl-C ends it.
                  --help           Print this text.
                  --version        Print the version.

                Examples:
                  nearby-bridge demo
                      Until Ctrl-C.
                  nearby-bridge demo --duration 30s
                      For scripts.

                Exit codes:
                  0   success
                  64  wrong command line
                  69  broker or resource unavailable

                """
        )
    }
}
