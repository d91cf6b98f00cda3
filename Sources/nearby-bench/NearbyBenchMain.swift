// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import CBareClients
import Glibc
import LinuxSystem

/// Measures what the bridge costs; one JSON object a line.
@main
struct NearbyBenchMain {
    static let usage = """
        Usage: nearby-bench decode [TURNS]
               nearby-bench handshake [TURNS]
               nearby-bench broker [TURNS]

        decode     nanoseconds and allocations to decode a report of each format, from its canonical sample: the median
                   of so many turns (default 15), with the format named and with it found out
        handshake  microseconds from accessory configuration data to configure_and_start, beside 1000 live sessions, and
                   as a ratio to a bare libmosquitto client that sends back what it gets: quantiles of so many turns
                   (default 1000), over a mosquitto of its own

        broker     microseconds of processor time for each report, receive to publish, beside a bare libmosquitto subscriber
                   that throws it away: at several rates, medians of so many turns (default 5)

        Build for release: swift build -c release, then .build/release/nearby-bench decode
        """

    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        let number = arguments.dropFirst().first.map { Int($0) }
        do {
            switch arguments.first {
            case "decode" where arguments.count <= 2:
                guard let turns = number ?? 15, (1...1000).contains(turns) else { return fail() }
                for result in DecodeBenchmark.results(turns: turns) { tell(result.json) }
            case "handshake" where arguments.count <= 2:
                guard let turns = number ?? 1000, (1...100_000).contains(turns) else { return fail() }
                tell(try HandshakeBenchmark.result(turns: turns, program: BenchSite.bridgeBesideIt).json)
            case "broker" where arguments.count <= 2:
                guard let turns = number ?? 5, (1...1000).contains(turns) else { return fail() }
                for (rate, quality) in [(10_000, 0), (100_000, 0), (0, 0), (10_000, 1)] {
                    let plan = BrokerBenchmark.Plan(rate: rate, qualityOfService: quality, turns: turns)
                    tell(try BrokerBenchmark.result(plan, program: BenchSite.bridgeBesideIt).json)
                }
            // What this program starts of itself.
            case "bare-subscriber" where arguments.count == 3:
                guard let port = number ?? nil, let quality = Int32(arguments[2]) else { return fail() }
                exit(nearby_bare_subscriber(Int32(port), quality))
            case "bare-echo":
                if let port = number ?? nil { exit(nearby_bare_echo(Int32(port))) }
            case "load" where arguments.count == 6:
                let numbers = arguments.dropFirst().compactMap { Int($0) }
                guard numbers.count == 5 else { return fail() }
                _ = LoadGenerator.run(
                    port: numbers[0],
                    accessories: numbers[1],
                    rate: numbers[2],
                    milliseconds: numbers[3],
                    qualityOfService: numbers[4]
                )
            case "crowd" where arguments.count == 3:
                guard let port = number ?? nil, let sessions = Int(arguments[2]) else { return fail() }
                try HandshakeBenchmark.runCrowd(port: port, sessions: sessions)
            default:
                fail()
            }
        } catch {
            StandardStream.error.write("nearby-bench: \(error)\n")
            exit(69)
        }
    }

    private static func tell(_ line: String) { StandardStream.output.write(line + "\n") }

    private static func fail() {
        let isHelp = CommandLine.arguments.dropFirst().first == "--help"
        (isHelp ? StandardStream.output : StandardStream.error).write(usage + "\n")
        exit(isHelp ? 0 : 64)
    }
}
