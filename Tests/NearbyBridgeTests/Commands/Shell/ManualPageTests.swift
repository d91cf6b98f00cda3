// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import TestSupport
import Testing

@testable import NearbyBridge

struct ManualPageTests {
    /// The text without what only roff needs.
    private func plain(_ page: String) -> String {
        page.replacing("\\-", with: "-").replacing("\\(aq", with: "'").replacing("\\&", with: "")
    }

    @Test(arguments: CommandName.allCases)
    func `a page has every section, option and exit code of its command`(_ name: CommandName) {
        let text = plain(ManualPage.text(for: name))
        let description = CommandDescription.of(name)
        for section in ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES", "\"EXIT STATUS\"", "\"SEE ALSO\""] {
            #expect(text.contains("\n.SH \(section)\n"))
        }
        for option in description.options + CommandDescription.common {
            #expect(text.contains("\n\\fB--\(option.name)"))
        }
        for code in description.exitCodes { #expect(text.contains("\n\\fB\(code.rawValue)\\fR\n\(code.summary)\n")) }
        #expect(text.contains("\n.TH NEARBY-BRIDGE-\(name.rawValue.uppercased()) 1 "))
    }

    @Test func `the program's page leads to all others`() {
        let text = plain(ManualPage.text(for: nil))
        for name in CommandName.allCases { #expect(text.contains(".BR nearby-bridge-\(name.rawValue) (1)")) }
        for place in ConfigurationSources.usualPlaces { #expect(text.contains(place)) }
        #expect(ManualPage.all.count == CommandName.allCases.count + 1)
    }

    private static let formatters = ["mandoc -Tlint -Wwarning", "groff -ww -man -Tutf8 -z", "man --warnings -l"]
        .filter { Program.isInstalled(String($0.prefix { $0 != " " })) }

    @Test(arguments: formatters)
    func `no formatter has anything to say against a page`(_ formatter: String) throws {
        let directory = try TemporaryDirectory()
        for page in ManualPage.all {
            let path = try directory.write(page.text, to: "\(page.name).1")
            let sink = formatter.hasPrefix("man ") ? ">/dev/null" : ">&2"
            let command = "exec \(formatter) \"$1\" 2>\"$0\" \(sink)"
            let ending = try ChildProcess(["sh", "-c", command, directory.file("complaints"), path]).wait()
            #expect(ending == .exited(status: 0))
            #expect(directory.text(of: "complaints").isEmpty, "\(directory.text(of: "complaints"))")
        }
    }

    @Test func `nothing in a text is taken for a command of the formatter`() {
        #expect(
            ManualPage.text(for: .run).split(separator: "\n").filter { $0.hasPrefix(".") }.allSatisfy { line in
                [".\\\"", ".TH", ".SH", ".TP", ".B ", ".BR"].contains { line.hasPrefix($0) }
            }
        )
    }
}
