// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import TestSupport
import Testing

@testable import NearbyBridge

/// A line as far as it is typed, and something that every shell must offer for it, or must not.
struct TypedLine: Sendable, CustomTestStringConvertible {
    var line: String
    var offers: [String]
    var without: [String] = []
    var testDescription: String { line }

    static let all = [
        TypedLine(line: "nearby-bridge ", offers: CommandName.allCases.map(\.rawValue) + ["help"]),
        TypedLine(line: "nearby-bridge he", offers: ["health", "help"], without: ["run"]),
        TypedLine(line: "nearby-bridge run --", offers: ["--config", "--set", "--help"], without: ["--json"]),
        TypedLine(line: "nearby-bridge purge --d", offers: ["--dry-run"], without: ["--force"]),
        TypedLine(line: "nearby-bridge completions ", offers: ["bash", "zsh", "fish"]),
        TypedLine(line: "nearby-bridge simulate --spelling ", offers: ["binary", "json"], without: ["run"]),
        TypedLine(line: "nearby-bridge simulate --fault no", offers: ["no_start"], without: ["reboot"]),
        TypedLine(line: "nearby-bridge run --set mqtt.h", offers: ["mqtt.host="], without: ["mqtt.port="]),
        TypedLine(line: "nearby-bridge run --set zones.n", offers: ["zones.near.radius="]),
        TypedLine(line: "nearby-bridge replay /etc/host", offers: ["/etc/hostname"]),
        TypedLine(line: "nearby-bridge advise --json /etc/host", offers: ["/etc/hostname"]),
        TypedLine(line: "nearby-bridge calibrate --from /etc/host", offers: ["/etc/hostname"]),
        TypedLine(line: "nearby-bridge calibrate --n", offers: ["--no-prompt"], without: ["--write"]),
        TypedLine(line: "nearby-bridge run --config /etc/host", offers: ["/etc/hostname"]),
        TypedLine(line: "nearby-bridge man ", offers: CommandName.allCases.map(\.rawValue)),
    ]
}

struct CompletionScriptTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// What a program prints; it must end well.
    private func output(of arguments: [String]) throws -> String {
        let shell = ["sh", "-c", "exec \"$@\" >\"$0\" 2>&1", directory.file("output")]
        let ending = try ChildProcess(shell + arguments).wait()
        #expect(ending == .exited(status: 0), "\(directory.text(of: "output"))")
        return directory.text(of: "output")
    }

    private func script(_ shell: CompletionScript.Shell) throws -> String {
        try directory.write(CompletionScript.text(for: shell), to: "completion")
    }

    private func bash(_ line: String) throws -> [String] {
        let program = """
            source "$1"
            COMP_WORDBREAKS=$' \\t\\n"\\'><=;|&(:' COMP_LINE=$2 COMP_POINT=${#2}
            _nearby_bridge
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        return try output(of: ["bash", "--norc", "-c", program, "bash", try script(.bash), line])
            .split(separator: "\n").map(String.init)
    }

    @Test(arguments: TypedLine.all)
    func `bash offers what fits`(_ typed: TypedLine) throws {
        let offers = try bash(typed.line)
        for word in typed.offers { #expect(offers.contains(word), "\(offers)") }
        for word in typed.without { #expect(!offers.contains(word), "\(offers)") }
    }

    @Test(arguments: [
        ("nearby-bridge run --set log.level=d", "debug"), ("nearby-bridge run --set=log.level=d", "debug"),
        ("nearby-bridge run --config=/etc/hostn", "/etc/hostname"),
        ("nearby-bridge record --output=/etc/hostn", "/etc/hostname"),
    ])
    func `bash goes on behind an equals sign, which it takes for the end of a word`(
        _ line: String,
        _ rest: String
    ) throws {
        #expect(try bash(line) == [rest])
    }

    @Test(.enabled(if: Program.isInstalled("fish")), arguments: TypedLine.all)
    func `fish offers what fits`(_ typed: TypedLine) throws {
        let program = "source $argv[1]; complete -C $argv[2]"
        let lines = try output(of: ["fish", "--no-config", "-c", program, try script(.fish), typed.line])
            .split(separator: "\n")
        let offers = lines.map { String($0.prefix { $0 != "\t" }) }
        for word in typed.offers { #expect(offers.contains(word), "\(offers)") }
        for word in typed.without { #expect(!offers.contains(word), "\(offers)") }
    }

    @Test(.enabled(if: Program.isInstalled("zsh")))
    func `zsh loads it, and finds a specification of every option`() throws {
        // Outside of a line that is being typed the functions can be loaded and their arguments be checked, not more.
        let program = """
            autoload -U compinit; compinit -D -u; source "$1"
            _arguments() { print -rl -- "$@"; [[ $1 == -C ]] && { state=arguments; return 1 }; return 0 }
            print -r -- "$_comps[nearby-bridge]"
            for command in \(CommandName.allCases.map(\.rawValue).joined(separator: " ")); do
                words=($command); _nearby-bridge
            done
            """
        let text = try output(of: ["zsh", "-f", "-c", program, "zsh", try script(.zsh)])
        #expect(text.hasPrefix("_nearby-bridge\n"))
        for option in CompletionScript.commands.flatMap(\.options) where !option.isFlag {
            #expect(text.contains("--\(option.name)=["), "\(text)")
        }
        #expect(text.contains(":(binary json)\n"))
    }

    @Test func `quotes keep a text together`() {
        #expect(CompletionScript.quote("it's") == "'it'\\''s'")
    }

    @Test func `settings are keys with an equals sign, and values where there are few`() {
        let settings = ValueCompletion.everySetting
        #expect(settings.contains("mqtt.host="))
        #expect(settings.contains("mqtt.tls.enabled=true"))
        #expect(settings.contains("zones.immediate.radius="))
        for setting in settings { #expect(!setting.contains("*") && !setting.contains("["), "\(setting)") }
        #expect(Set(settings).count == settings.count)
    }
}
