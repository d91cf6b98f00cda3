// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyBridge
import Testing

struct ArgumentParserTests {
    private func arguments(_ line: String) throws -> ParsedArguments {
        let request = try ArgumentParser.parse(line.split(separator: " ").map { String($0) })
        guard case .command(let arguments) = request else {
            Issue.record("no command: \(request)")
            return ParsedArguments(command: .version)
        }
        return arguments
    }

    private func error(_ line: String) -> UsageError? {
        do {
            _ = try ArgumentParser.parse(line.split(separator: " ").map { String($0) })
            return nil
        } catch {
            return error
        }
    }

    @Test func `options take their value from the next argument or behind an equals sign`() throws {
        let expected = ParsedArguments(
            command: .run,
            values: ["config": ["a.yaml"], "set": ["mqtt.host=x", "log.level=debug"]]
        )
        #expect(try arguments("run --config a.yaml --set mqtt.host=x --set=log.level=debug") == expected)
        #expect(try arguments("run --set=mqtt.host=x --config=a.yaml --set log.level=debug") == expected)
    }

    @Test func `flags, options and files may stand in any order`() throws {
        let parsed = try arguments("replay a.csv --truth b.csv --set x.y=-1 - -- --json")
        #expect(parsed.has("truth") && !parsed.has("json"))
        #expect(parsed.positionals == ["a.csv", "b.csv", "-", "--json"])
        #expect(parsed.texts("set") == ["x.y=-1"])
        #expect(parsed.text("config") == nil)
    }

    @Test func `values come out typed, with their defaults`() throws {
        let parsed = try arguments("simulate --accessories 100 --rate 2.5 --duration 1m --walk a --walk b")
        #expect(parsed.integer("accessories") == 100)
        #expect(parsed.number("rate") == 2.5)
        #expect(parsed.duration("duration") == .seconds(60))
        #expect(parsed.texts("walk") == ["a", "b"])
        #expect(parsed.integer("seed") == 1)
        #expect(parsed.number("noise") == 0.05)
        #expect(try arguments("simulate").duration("duration") == nil)
        #expect(try arguments("simulate").number("no-such-option") == nil)
    }

    @Test func `numbers given more than once keep their order`() throws {
        #expect(try arguments("calibrate --accessory a --at 5 --at 1.25 --from x --from y").numbers("at") == [5, 1.25])
        #expect(try arguments("calibrate").numbers("at").isEmpty)
        #expect(try arguments("advise a.csv b.csv").positionals == ["a.csv", "b.csv"])
        #expect(try arguments("advise").positionals.isEmpty)
    }

    @Test(arguments: CommandName.allCases.map(\.rawValue))
    func `help and version are everywhere and win over faults`(_ command: String) throws {
        let name = try #require(CommandName(rawValue: command))
        #expect(try ArgumentParser.parse([command, "--help"]) == .help(name))
        #expect(try ArgumentParser.parse([command, "--nonsense", "-h"]) == .help(name))
        #expect(try ArgumentParser.parse([command, "--version"]) == .version)
        #expect(try ArgumentParser.parse(["help", command]) == .help(name))
    }

    @Test func `without a command there are help and version`() throws {
        for line in [["--help"], ["-h"], ["help"], ["help", "--help"]] {
            #expect(try ArgumentParser.parse(line) == .help(nil))
        }
        #expect(try ArgumentParser.parse(["--version"]) == .version)
        #expect(try ArgumentParser.parse(["version"]) == .command(ParsedArguments(command: .version)))
    }

    @Test(arguments: [
        ("", "no command given; nearby-bridge --help lists them"),
        ("rnu", "unknown command \"rnu\"; did you mean run?"),
        ("help rnu", "unknown command \"rnu\"; did you mean run?"),
        (
            "xyzzy",
            "unknown command \"xyzzy\"; there are run, demo, replay, simulate, decode, check, schema, health, purge, record, "
                + "calibrate, advise, doctor, version, completions, man"
        ),
        ("helth", "unknown command \"helth\"; did you mean health?"),
        ("help run demo", "help: unexpected argument \"demo\"; name one command"),
        ("--hlep", "unknown option \"--hlep\"; did you mean --help?"),
        ("-versoin", "unknown option \"-versoin\"; did you mean --version?"),
        ("purge --dryrun", "purge: unknown option \"--dryrun\"; did you mean --dry-run?"),
        ("completions", "completions: expected a shell; write bash, or zsh, or fish"),
        ("completions bsh", "completions: unknown shell \"bsh\"; did you mean bash?"),
        ("completions csh.exe", "completions: unknown shell \"csh.exe\"; there are bash, zsh, fish"),
        ("completions bash zsh", "completions: unexpected argument \"zsh\"; name one shell"),
        ("man rnu", "man: unknown command \"rnu\"; did you mean run?"),
        ("--config a run", "expected a command before \"--config\"; write for example nearby-bridge run --config …"),
        ("run --confg a", "run: unknown option \"--confg\"; did you mean --config?"),
        ("run -config a", "run: unknown option \"-config\"; did you mean --config?"),
        ("run --xyzzy", "run: unknown option \"--xyzzy\"; nearby-bridge run --help lists them"),
        ("run --config", "--config needs a value; write --config FILE"),
        ("run --config --set a=b", "--config needs a value; write --config FILE"),
        ("run --config=", "--config: expected a file path, found nothing; write /etc/nearby-bridge/file, or remove it"),
        ("run --config a --config b", "--config is given twice; keep one of the two"),
        ("run a.yaml", "run: unexpected argument \"a.yaml\"; nearby-bridge run --help shows what it takes"),
        ("run mqtt.password=hunter2", "run: unexpected argument \"mqtt.password\"; write --set before it"),
        ("replay", "replay: expected at least one FILE; write nearby-bridge replay FILE"),
        ("calibrate --at 0", "--at: expected metres greater than 0, at most 1000, found \"0\"; write 1"),
        (
            "calibrate lamp",
            "calibrate: unexpected argument \"lamp\"; nearby-bridge calibrate --help shows what it takes"
        ),
        ("advise --radius x", "--radius: expected metres greater than 0, at most 1000, found \"x\"; write 1"),
        ("replay a --json=yes", "--json takes no value; leave out the ="),
        (
            "simulate --rate fast",
            "--rate: expected a number greater than 0, at most 1000, found \"fast\"; write 10"
        ),
        (
            "simulate --accessories 0",
            "--accessories: expected a whole number from 1 to 1000000, found \"0\"; write 1"
        ),
        ("demo --duration 30", "--duration: expected a duration from 100ms to 365d, found \"30\"; write 30s"),
    ])
    func `a wrong command line says what is wrong and what to do`(_ line: String, _ expected: String) {
        let error = error(line)
        #expect(error?.description == expected)
        #expect(error?.exitCode.rawValue == 64)
    }

    @Test func `no error repeats a secret`() {
        for line in [
            "run --sett=mqtt.password=hunter2", "run mqtt.password=hunter2", "mqtt.password=hunter2", "--set=hunter2",
        ] {
            #expect(error(line) != nil)
            #expect(error(line)?.description.contains("hunter2") == false)
        }
    }
}
