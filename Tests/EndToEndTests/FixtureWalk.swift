// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import LinuxSystem
import MosquittoClient
import TestSupport

/// A recorded walk from `Tests/Fixtures/uwb-walk`.
struct FixtureWalk {
    /// One measurement: seconds of the recording, metres.
    struct Sample {
        var time: Double
        var distance: Double
    }

    static let names = ["los-case3-a12", "nlos-case4-a9"]

    let samples: [Sample]

    /// Where the file is.
    static func path(_ name: String) -> String {
        let tests = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
        return "/\(tests)/Fixtures/uwb-walk/\(name).csv"
    }

    /// All walks that are there, these two and whatever was added.
    static func all() throws -> [String] {
        let folder = path(names[0]).split(separator: "/").dropLast().joined(separator: "/")
        let files = try FileManager.default.contentsOfDirectory(atPath: "/\(folder)")
        return files.filter { $0.hasSuffix(".csv") }.sorted().map { "/\(folder)/\($0)" }
    }

    /// Reads a walk by the name of its file without the ending.
    init(_ name: String) throws {
        let text = String(decoding: try TextFile.read(Self.path(name), maximumBytes: 1 << 20), as: UTF8.self)
        samples = text.split(separator: "\n").dropFirst().compactMap { line in
            let fields = line.split(separator: ",")
            guard fields.count >= 2, let time = Double(fields[0]), let distance = Double(fields[1]) else { return nil }
            return Sample(time: time, distance: distance)
        }
    }

    /// Reports the seconds of the recording in `range` as they were, with the device's timestamps.
    func play(_ range: Range<Double>, as accessory: String, on site: Site) throws {
        let part = samples.filter { range.contains($0.time) }
        guard let first = part.first else { return }
        let begin = MonotonicClock.now()
        // The device's clock: the same zero for every part, so that a pause between two parts shows.
        let zero = Double(begin) * 1e-9
        for sample in part {
            let due = sample.time - first.time
            let left = due - Double(MonotonicClock.now() - begin) * 1e-9
            if left > 0 { Waiting.sleep(milliseconds: UInt32(left * 1000)) }
            try site.source.publish(
                site.topic("accessory/\(accessory)/report"),
                "{\"distance\":\(sample.distance),\"timestamp\":\(zero + due)}",
                qualityOfService: .atMostOnce
            )
        }
    }
}
