// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import LinuxSystem
import TestSupport
import Testing

private let isSoakWanted = ProcessInfo.processInfo.environment["SOAK_SECONDS"] != nil

/// Two hundred accessories, random faults, and a checker that knows the truth.
///
/// Not beside other tests, whose machine it would take: `make soak` runs ten minutes of it, `.ci/run` one. `SEED` repeats
/// the faults and the walks of a run, `SOAK_SECONDS` says for how long.
@Suite(.onItsOwnThread, .enabled(if: isSoakWanted, "make soak runs it"))
struct SoakTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let seconds = Double(environment["SOAK_SECONDS"] ?? "") ?? 60
    private static let isLong = seconds > 100
    private static let accessories = 200
    /// Whether what the program occupies says something: not under a sanitizer.
    private static let watchesMemory = environment["SOAK_MEMORY"] != "ignored"
    /// Nobody comes any more in the last seconds, so that everybody can go.
    private static let lastVisits = min(20, seconds / 4)

    private struct Sample {
        var life: Int
        var second: Double
        var kibibytes: Int
        var descriptors: Int
    }

    /// What a run found out besides its checker.
    private struct Run {
        var recoveries: [SoakFault.Kind: [Int]] = [:]
        var samples: [Sample] = []
        /// By life of the bridge: events that it gave up because they were too old or too many.
        var givenUp: [Int: Int] = [:]
    }

    @Test("Whatever fails, each visit is told once and in order, and nothing else")
    func soak() throws {
        let seed = UInt64(Self.environment["SEED"] ?? "") ?? UInt64.random(in: 0...UInt64.max)
        tell("soak: \(Self.accessories) accessories for \(Int(Self.seconds)) s, seed \(seed)")
        let site = try SoakSite()
        _ = try site.recover()
        // A short run shares the machine with other tests.
        let rate = Self.isLong ? 5.0 : 2.5
        let walkers = (0..<Self.accessories).map { SoakWalker(number: $0, rate: rate, seed: seed) }
        let crowd = try SoakCrowd(walkers, port: site.broker.port)
        var run = Run()
        try sufferFaults(site, crowd, seed, &run)
        let figures = try finish(site, crowd)
        tell(run, site, figures)
        try check(run, site, figures, "seed \(seed)")
    }

    /// Tells people something at once: what tests print otherwise comes at their end.
    private func tell(_ line: String) { StandardStream.output.write("| \(line)\n") }

    private func sufferFaults(_ site: SoakSite, _ crowd: SoakCrowd, _ seed: UInt64, _ run: inout Run) throws {
        var deck = SoakFault.Deck(seed: seed)
        let begin = MonotonicClock.now()
        func elapsed() -> Double { Double(MonotonicClock.now() - begin) * 1e-9 }
        var nextLine = 60.0
        while elapsed() < Self.seconds {
            Waiting.sleep(milliseconds: deck.pause(upTo: Self.isLong ? 4000 : 1500))
            if elapsed() > Self.seconds - Self.lastVisits { crowd.letNobodyEnter() }
            let fault = deck.next(sparingTheBridge: Self.isLong && elapsed() > Self.seconds * 0.45)
            crowd.setCalm(false)
            try site.suffer(fault)
            let (health, milliseconds) = try site.recover()
            let isBack = Waiting.until(.seconds(60)) { crowd.figures.isConnected }
            try #require(isBack, "the accessories do not find the broker")
            crowd.setCalm(true)
            run.recoveries[fault.kind, default: []].append(milliseconds)
            run.givenUp[site.lives] =
                (health.dropped["events_expired"] ?? 0) + (health.dropped["events_outbox_full"] ?? 0)
            if let kibibytes = site.bridge.residentKibibytes, let descriptors = site.bridge.descriptors {
                let sample = Sample(
                    life: site.lives,
                    second: elapsed(),
                    kibibytes: kibibytes,
                    descriptors: descriptors
                )
                run.samples.append(sample)
            }
            if elapsed() > nextLine {
                tell("soak: \(Int(elapsed())) s, \(site.checker.count) events, wrong: \(site.checker.violations)")
                nextLine += 60
            }
        }
    }

    /// Lets everybody go, and waits until all of it was told.
    private func finish(_ site: SoakSite, _ crowd: SoakCrowd) throws -> SoakCrowd.Figures {
        crowd.letNobodyEnter()
        let isOver = Waiting.until(.seconds(180)) {
            site.listen()
            return crowd.figures.areAllAtRest
        }
        try #require(isOver, "somebody does not come to rest")
        let expected = crowd.figures.walkers.reduce(0) { $0 + $1.story.count * ($1.peer == nil ? 1 : 2) }
        _ = Waiting.until(.seconds(60)) {
            site.listen()
            return site.checker.count >= expected
        }
        // One more that must not come.
        Waiting.sleep(milliseconds: 1000)
        site.listen()
        let figures = crowd.figures
        crowd.end()
        return figures
    }

    private func tell(_ run: Run, _ site: SoakSite, _ figures: SoakCrowd.Figures) {
        tell("fault                         times   recovered after, median and longest (ms)")
        for kind in SoakFault.Kind.allCases {
            guard let times = run.recoveries[kind]?.sorted() else { continue }
            let name = kind.rawValue.padding(toLength: 30)
            let count = "\(times.count)".padding(toLength: 8)
            tell("\(name)\(count)\("\(times[times.count / 2])".padding(toLength: 8))\(times[times.count - 1])")
        }
        let visits = figures.walkers.reduce(0) { $0 + $1.visits }
        tell(
            "\(figures.reports) reports, \(figures.distortions) of them doubled, swapped or absurd; \(visits) visits; "
                + "\(site.checker.count) events checked, \(site.checker.repetitions) came again; \(site.lives) bridges"
        )
        let samples = run.samples.map { "\(Int($0.second)) s \($0.kibibytes) KiB \($0.descriptors)" }
        let step = max(1, samples.count / 8)
        let shown = stride(from: 0, to: samples.count, by: step).map { samples[$0] }
        tell("memory and descriptors of the bridge: \(shown.joined(separator: ", "))")
    }

    private func check(_ run: Run, _ site: SoakSite, _ figures: SoakCrowd.Figures, _ seed: String) throws {
        // Otherwise nothing was tried.
        #expect(figures.walkers.count { $0.visits > 0 } > Self.accessories / 10)
        #expect(site.checker.violations == [], "\(seed)")
        #expect(site.checker.wrongVisits == [], "\(seed)")
        var (lost, invented) = (0, 0)
        var expected: Set<String> = []
        for walker in figures.walkers where walker.visits > 0 {
            for stream in [walker.name] + (walker.peer.map { ["\(walker.name)/\($0)"] } ?? []) {
                expected.insert(stream)
                let difference = site.checker.differences(walker.story, of: stream)
                lost += difference.lost
                invented += difference.invented
                if difference != (0, 0), lost + invented < 40 { tell("\(stream): \(site.checker.story(of: stream))") }
            }
        }
        let givenUp = run.givenUp.values.reduce(0, +)
        tell(
            "\(lost) lost, \(invented) invented, \(site.checker.missingNumbers) numbers missing, "
                + "\(givenUp) events given up"
        )
        // An event may be missing only where the bridge says that it grew too old.
        #expect(lost <= givenUp, "\(seed)\n\(site.bridge.log.suffix(4000))")
        #expect(site.checker.missingNumbers <= givenUp, "\(seed)")
        #expect(invented == 0, "\(seed)")
        #expect(site.checker.names.isSubset(of: expected))
        let wrong = try site.zoneWords().filter { $0.value != "outside" }
        #expect(wrong.isEmpty, "\(seed): \(wrong)")
        checkGrowth(run, seed)
    }

    /// The last bridge holds at its end about what it held in the first half of its life.
    private func checkGrowth(_ run: Run, _ seed: String) {
        let samples = run.samples.filter { $0.life == run.samples.last?.life }
        guard Self.watchesMemory, samples.count >= 4 else { return }
        let (early, late) = (samples.prefix(samples.count / 2), samples.suffix(samples.count / 4))
        let memory = (early.map(\.kibibytes).max() ?? 0, late.map(\.kibibytes).min() ?? 0)
        #expect(memory.1 < memory.0 + memory.0 / 4 + 4096, "\(seed): memory grows: \(memory) KiB")
        let descriptors = (early.map(\.descriptors).max() ?? 0, late.map(\.descriptors).min() ?? 0)
        #expect(descriptors.1 <= descriptors.0 + 4, "\(seed): descriptors grow: \(descriptors)")
    }
}

extension String {
    fileprivate func padding(toLength length: Int) -> String {
        self + String(repeating: " ", count: Swift.max(1, length - count))
    }
}
