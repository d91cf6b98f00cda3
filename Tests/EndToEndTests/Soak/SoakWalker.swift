// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import TestSupport

/// Somebody who comes and goes, and the accessory that measures it: the truth of a soak, and the reports made of it.
///
/// It stays wherever it is for longer than any outage takes away from it: so each of its visits must be seen, once.
struct SoakWalker: Sendable {
    /// How its reports tell when they were measured.
    enum Stamp: CaseIterable, Sendable {
        case none
        case time
        case sequence
    }

    private enum Phase {
        case outside
        case approaching
        case inside
        case leaving
    }

    /// Metres a second.
    private static let speed = 1.2
    /// Of every stay, so many seconds pass while nothing is wrong.
    private static let calm = 5.0

    let name: String
    /// Named by every fourth of them.
    let peer: String?
    private let stamp: Stamp
    /// The device's clock is wrong by so many seconds.
    private let clockOffset: Double
    private let interval: Double
    private var random: SeededGenerator
    private var phase = Phase.outside
    private var distance: Double
    private var stayLeft: Double
    private var calmLeft = Self.calm
    private var sequence = 0
    private var sinceSpike = 0
    private var held: String?
    /// When the next report is measured, in seconds.
    private(set) var due: Double
    /// How often it came near and went away again, the visit that goes on included.
    private(set) var visits = 0
    /// What was done to its reports.
    private(set) var distortions = 0

    init(number: Int, rate: Double, seed: UInt64) {
        name = "walker-\(number)"
        peer = number % 4 == 0 ? "alice" : nil
        stamp = Stamp.allCases[number % 3]
        random = SeededGenerator(seed: seed &+ UInt64(number))
        interval = 1 / rate
        clockOffset = Double.random(in: -20_000...20_000, using: &random)
        distance = Double.random(in: 5...8, using: &random)
        stayLeft = Double.random(in: 2...20, using: &random)
        due = Double.random(in: 0..<interval, using: &random)
    }

    /// Whether it is away and will stay so.
    var isAtRest: Bool {
        if case .outside = phase { calmLeft <= 0 } else { false }
    }

    /// The events that its visits must make, on each of its streams.
    var story: [String] {
        let visit = ["enter near", "enter immediate", "exit immediate left", "exit near left"]
        return Array(repeating: visit, count: visits).flatMap(\.self)
    }

    /// Moves on to the next report; what comes of it are the payloads to send now.
    mutating func step(isCalm: Bool, mayEnter: Bool, wall: Double) -> [String] {
        move(isCalm: isCalm, mayEnter: mayEnter)
        defer { due += interval }
        return distort(report(wall: wall))
    }

    private mutating func move(isCalm: Bool, mayEnter: Bool) {
        stayLeft -= interval
        if isCalm { calmLeft -= interval }
        let step = Self.speed * interval
        switch phase {
        case .outside:
            guard mayEnter, stayLeft <= 0, calmLeft <= 0 else { return }
            phase = .approaching
            visits += 1
        case .inside:
            guard stayLeft <= 0, calmLeft <= 0 else { return }
            phase = .leaving
        case .approaching:
            distance -= step
            if distance <= 0.7 { stay(.inside) }
        case .leaving:
            distance += step
            if distance >= 6 { stay(.outside) }
        }
    }

    private mutating func stay(_ phase: Phase) {
        self.phase = phase
        stayLeft = Double.random(in: 6...20, using: &random)
        calmLeft = Self.calm
    }

    private mutating func report(wall: Double) -> String {
        sequence += 1
        sinceSpike += 1
        var measured = max(0, distance + Double.random(in: -0.08...0.08, using: &random))
        if sinceSpike > 12, Int.random(in: 0..<100, using: &random) == 0 {
            sinceSpike = 0
            distortions += 1
            measured = Double.random(in: 0...60, using: &random)
        }
        let millimetres = (measured * 1000).rounded() / 1000
        let name = peer.map { ",\"peer\":\"\($0)\"" } ?? ""
        switch stamp {
        case .none: return "{\"distance\":\(millimetres)\(name)}"
        case .time: return "{\"distance\":\(millimetres)\(name),\"timestamp\":\(wall + clockOffset)}"
        case .sequence: return "{\"distance\":\(millimetres)\(name),\"seq\":\(sequence)}"
        }
    }

    /// Some reports come twice, some after the one that follows them.
    private mutating func distort(_ report: String) -> [String] {
        if let late = held {
            held = nil
            return [report, late]
        }
        switch Int.random(in: 0..<50, using: &random) {
        case 0:
            distortions += 1
            return [report, report]
        case 1:
            distortions += 1
            held = report
            return []
        default:
            return [report]
        }
    }
}
