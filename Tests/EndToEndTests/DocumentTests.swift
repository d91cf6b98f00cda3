// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// What a document's shell block is to be done with.
enum Treatment {
    /// How close the output must come to the block that shows it; every shown line must come.
    enum Expectation {
        /// The same words and numbers, in this order.
        case same
        /// The same words, with any numbers, in any order: what happens is right, when it happens varies.
        case shape
    }

    /// It runs to its end, with status 0.
    case runs(Expectation = .same)
    /// It runs beside all that follow; the command returns once it does its work.
    case beside(ready: String)
    /// This runs in its place.
    case instead(String, because: String, Expectation = .same)
    /// It cannot run here.
    case never(because: String)
}

/// The documents whose shell blocks are run, and what is done with each: the first line names a block.
///
/// A block that is not here fails the test: say what is to be done with it.
struct Document: Sendable, CustomTestStringConvertible {
    var path: String
    var treatments: [String: Treatment]

    var testDescription: String { path }
    /// Where its commands are to be typed.
    var folder: String { path.split(separator: "/").dropLast().joined(separator: "/") }

    private static let needsSystemd = Treatment.never(because: "a running systemd is needed")
    private static let needsRoot = Treatment.never(because: "it changes the machine")

    /// Installing for a package changes nothing outside one folder.
    private static let installs = Treatment.instead(
        """
        until [ -e Makefile ]; do cd ..; done
        collected=$(mktemp -d)
        make install DESTDIR="$collected"
        cd "$collected"
        usr/local/bin/nearby-bridge version
        grep '^ExecStart=/usr/local/bin/nearby-bridge run ' usr/local/lib/systemd/system/nearby-bridge.service
        test -s etc/nearby-bridge/config.yaml
        rm -r "$collected"
        """,
        because: "it changes the machine, and systemd need not run here"
    )

    static let all = [
        Document(
            path: "README.md",
            treatments: [
                "make demo": .instead(
                    "make -n demo | grep -q 'nearby-bridge demo' && nearby-bridge demo --duration 15s",
                    because: "the program is built already",
                    .shape
                ),
                "make test": .instead(
                    "make -n test | grep -q '^.ci/test'",
                    because: "this is that test"
                ),
                ".build/release/nearby-bridge run": .beside(
                    ready: "mosquitto_sub -t nearby/bridge/state -C 1 -W 60 >/dev/null"
                ),
                "mosquitto_sub -v -t 'nearby/#'": .beside(
                    ready: "until grep -q 'nearby/# (QoS' \"$BROKER_LOG\"; do sleep 0.05; done"
                ),
                "for i in $(seq 20); do mosquitto_pub -t nearby/accessory/lamp/report -m '{\"distance\":1.2}'; sleep 0.1; done":
                    .runs(),
                "mosquitto_pub -t nearby/bridge/request/accessory/stop -m '{\"accessory\":\"lamp\",\"transaction\":\"1\"}'":
                    .runs(),
                ".build/release/nearby-bridge decode 01000000140000000000000000000015010001003ff50300b80b0000000001010111d71900":
                    .runs(),
                "mosquitto_sub -t nearby/bridge/response/health -C 1 -W 5 & sleep 0.2; mosquitto_pub -t nearby/bridge/request/health -n; wait":
                    .runs(),
                "mosquitto_pub -t nearby/bridge/request/accessory/remove -m '{\"accessory\":\"lamp\",\"block\":true}'":
                    .runs(),
                ".build/release/nearby-bridge check": .runs(),
                "mosquitto_pub -t nearby/bridge/request/accessory/options -m '{\"accessory\":\"lamp\",\"options\":{\"distance_offset\":-0.12,\"zones\":{\"near\":{\"radius\":2.5}}}}'":
                    .runs(),
                "make soak": .never(because: "it takes ten minutes"),
                "make": installs,
                ".build/release/nearby-bridge replay --truth Tests/Fixtures/uwb-walk/*.csv": .runs(),
                ".build/release/nearby-bridge advise Tests/Fixtures/uwb-walk/los-case3-a3.csv":
                    .never(because: "a day of standing takes minutes in a build for tests"),
            ]
        ),
        Document(
            path: "Examples/mosquitto/README.md",
            treatments: [
                "nearby-bridge run --set mqtt.username=nearby-bridge --set mqtt.password_file=/etc/nearby-bridge/password":
                    .never(because: "it needs a broker with these passwords; another test has one"),
                "./try-it.sh ../../.build/release/nearby-bridge": .runs(),
            ]
        ),
        Document(
            path: "Examples/systemd/README.md",
            treatments: [
                "make": installs,
                "sudo systemctl daemon-reload": needsSystemd,
                "printf '%s\\n' 'the password' | sudo install -m 600 /dev/stdin /etc/nearby-bridge/password": needsRoot,
                "sudo systemctl disable --now nearby-bridge": needsSystemd,
            ]
        ),
    ]
}

@Suite(.onItsOwnThread, .enabled(if: DocumentShell.isAvailable, "needs `unshare --net` and `ip`"))
struct DocumentTests {
    @Test("Every command of a document does what the document shows", arguments: Document.all)
    func commands(_ document: Document) throws {
        let commands = MarkdownBlock.commands(in: try Fixtures.document(document.path))
        #expect(!commands.isEmpty)
        var steps: [DocumentShell.Step] = []
        var checks: [(block: MarkdownBlock, expected: MarkdownBlock?, how: Treatment.Expectation)] = []
        for (block, output) in commands {
            guard let treatment = document.treatments[block.lines.first ?? ""] else {
                Issue.record("\(document.path):\(block.line): nobody says how to test this block")
                continue
            }
            switch treatment {
            case .runs(let how):
                steps.append(.init(text: block.text))
                checks.append((block, output, how))
            case .beside(let ready):
                steps.append(.init(text: block.text, ready: ready))
                checks.append((block, nil, .same))
            case .instead(let text, _, let how):
                steps.append(.init(text: text))
                checks.append((block, output, how))
            case .never:
                continue
            }
        }
        let shell = try DocumentShell()
        let results = try shell.run(steps, in: document.folder)
        for (result, check) in zip(results, checks) {
            let place = "\(document.path):\(check.block.line)"
            #expect(result.status ?? 0 == 0, "\(place): \(result.output)\n\(shell.log)")
            guard let expected = check.expected else { continue }
            #expect(missing(expected, in: result.output, check.how) == [], "\(place) printed: \(result.output)")
        }
        if document.path == "README.md" { checkStory(results, steps) }
    }

    /// What the README's prose says about its three terminals.
    private func checkStory(_ results: [DocumentShell.Result], _ steps: [DocumentShell.Step]) {
        let seen = zip(results, steps).first { $0.1.text.hasPrefix("mosquitto_sub") }?.0.output ?? ""
        let lines = seen.split(separator: "\n").map(String.init)
        let events = lines.filter { $0.hasPrefix("nearby/accessory/lamp/event ") }
        let story = events.map { event in
            ["zone_enter", "zone_exit", "immediate", "near"].filter { event.contains("\"\($0)\"") }
        }
        let told = [
            ["zone_enter", "near"], ["zone_enter", "immediate"], ["zone_exit", "immediate"], ["zone_exit", "near"],
        ]
        #expect(story == told, "\(seen)")
        #expect(lines.contains { $0.hasPrefix("nearby/bridge/response/accessory/stop ") && $0.contains("\"ok\"") })
    }

    /// The lines of a shown output that did not come.
    private func missing(_ shown: MarkdownBlock, in output: String, _ how: Treatment.Expectation) -> [String] {
        var rest = output.split(separator: "\n").map { words(of: String($0), how) }[...]
        return shown.lines.filter { line in
            let wanted = words(of: line, how)
            guard let place = rest.firstIndex(of: wanted) else { return true }
            switch how {
            case .same: rest = rest[(place + 1)...]
            case .shape: rest.remove(at: place)
            }
            return false
        }
    }

    /// A line without its spacing and, where they may differ, without its numbers.
    private func words(of line: String, _ how: Treatment.Expectation) -> String {
        let line = line.split(separator: " ").joined(separator: " ")
        switch how {
        case .same: return line
        case .shape: return line.replacing(/[0-9]+(\.[0-9]+)?/, with: "#")
        }
    }
}
