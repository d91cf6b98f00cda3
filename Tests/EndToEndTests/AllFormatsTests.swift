// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import MosquittoClient
import TestSupport
import Testing

@testable import NearbyBridge

/// Devices of every make at one bridge, none of which it was told anything about.
@Suite(.onItsOwnThread)
struct AllFormatsTests {
    private struct Device {
        let number: Int
        let encoding: ReportEncoding
        let name: String
        private var sequence: Int64 = 0

        init(_ number: Int) {
            self.number = number
            encoding = ReportEncoding.allCases[number % ReportEncoding.allCases.count]
            name = "\(encoding.rawValue)-\(number)"
        }

        /// Each goes away at another time, and to another place.
        func distance(at time: Double) -> Double {
            time < 2 + 0.1 * Double(number) ? 1 + 0.01 * Double(number) : 5 + 0.1 * Double(number)
        }

        /// Every seventh round fails; with a round that found nobody next to it, that is no distance of anybody's.
        mutating func report(at time: Double) -> [UInt8] {
            sequence += 1
            var measurement = EncodedMeasurement(distance: sequence % 7 == 0 ? nil : distance(at: time))
            measurement.peer = UInt16(number % 4)
            measurement.sequence = sequence
            measurement.time = time
            measurement.unixTime = 1_764_511_312 + time
            return encoding.encode(measurement)
        }
    }

    @Test("Every format at once is recognised, and each distance is its own accessory's")
    func everyFormat() throws {
        let site = try Site(set: ["lost_after=120s"])
        var devices = (0..<2 * ReportEncoding.allCases.count).map { Device($0) }
        for step in 0..<100 {
            let time = Double(step) * 0.1
            for index in devices.indices {
                let payload = devices[index].report(at: time)
                try site.source.publish(site.topic("accessory/\(devices[index].name)/report"), bytes: payload)
            }
            Waiting.sleep(milliseconds: 100)
        }
        for device in devices {
            #expect(
                site.waitForEvents(4, of: device.name).map(\.summary) == [
                    "enter near", "enter immediate", "exit immediate left", "exit near left",
                ],
                "\(device.name)"
            )
            let state = try site.state(of: device.name)
            #expect(abs((state.distance ?? 0) - device.distance(at: 10)) < 0.02, "\(device.name): \(state)")
        }
        #expect(!site.bridge.log.contains(" warning"), "\(site.bridge.log)")
    }
}
