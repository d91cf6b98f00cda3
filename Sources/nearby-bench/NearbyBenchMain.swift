// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem

/// Measures what the bridge costs; one JSON object a line.
@main
struct NearbyBenchMain {
    static let usage = """
        Usage: nearby-bench decode [TURNS]

        decode   nanoseconds and allocations to decode a report of each format, from its canonical sample: the median
                 of so many turns (default 15), with the format named and with it found out

        Build it for release: swift run -c release nearby-bench decode
        """

    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.first == "decode", arguments.count <= 2 else { return fail() }
        guard let turns = Int(arguments.dropFirst().first ?? "15"), (1...1000).contains(turns) else { return fail() }
        for result in DecodeBenchmark.results(turns: turns) {
            StandardStream.output.write(result.json + "\n")
        }
    }

    private static func fail() {
        let isHelp = CommandLine.arguments.dropFirst().first == "--help"
        (isHelp ? StandardStream.output : StandardStream.error).write(usage + "\n")
        exit(isHelp ? 0 : 64)
    }
}
