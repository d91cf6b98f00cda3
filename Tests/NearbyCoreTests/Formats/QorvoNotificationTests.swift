// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyCore

@Suite struct QorvoNotificationTests {
    private func decode(_ measurements: String) -> JSONDecoding {
        JSONDecoding(
            "SESSION_INFO_NTF: {session_handle=1, sequence_number=125, block_index=5, n_measurements=1\r\n\r \(measurements)}\r\n",
            format: .qorvo
        )
    }

    @Test func `The manual's full form`() throws {
        let report = try #require(
            decode(
                "[mac_address=0x0001, status=\"SUCCESS\", distance[cm]=91, loc_az_pdoa=65.35, loc_az=24.90, "
                    + "loc_el_pdoa=32.12, loc_el=12.01, rmt_az=22.84, rmt_el=13.59, RSSI[dBm]=-66.5]"
            ).report
        )
        #expect(report.distance == 0.91 && report.status == .ok)
        #expect(report.azimuth == 24.9 && report.elevation == 12.01 && report.rssi == -66.5)
        #expect(report.sequence == 125 && report.peer == .address(RadioAddress(1)))
    }

    @Test func `Measurements are separated by semicolons, with or without white space`() {
        for separator in [";\r\n\r ", ";"] {
            let decoding = decode(
                "[mac_address=0x0001, status=\"SUCCESS\", distance[cm]=210]" + separator
                    + "[mac_address=0x0002, status=\"RX_TIMEOUT\"]" + separator
                    + "[mac_address=0x000A,status=\"SUCCESS\",distance[cm]=-3]"
            )
            #expect(decoding.errors.isEmpty)
            #expect(decoding.reports.map(\.distance) == [2.1, nil, -0.03])
            #expect(decoding.reports.map(\.status) == [.ok, .timeout, .ok])
            #expect(decoding.reports.map(\.peer) == [1, 2, 10].map { .address(RadioAddress($0)) })
        }
    }

    @Test(arguments: [
        "TX_FAILED", "RX_PHY_DEC_FAILED", "RX_PHY_TOA_FAILED", "RX_PHY_STS_FAILED", "RX_MAC_DEC_FAILED",
        "RX_MAC_IE_DEC_FAILED", "RX_MAC_IE_MISSING", "Unknown", "SUCCES",
    ])
    func `Every other word is a failure, whatever distance stands there`(_ word: String) {
        for rest in ["", ", distance[cm]=100"] {
            let report = decode("[mac_address=0x0001, status=\"\(word)\"\(rest)]").report
            #expect(report?.status == .error && report?.distance == nil)
        }
        #expect(decode("[mac_address=0x0001, status=\"SUCCESS\"]").report?.status == .error)
        #expect(decode("[mac_address=0x0001, status=\"SUCCESS\", distance[cm]=nan]").report?.status == .error)
    }

    @Test(arguments: [
        "[mac_address=0x0001, distance[cm]=100]", "[mac_address=zz, status=\"SUCCESS\", distance[cm]=100]",
        "[mac_address=0x0001, status=SUCCESS, distance[cm]=100]", "[status=\"SUCCESS\", distance[cm]=100 cm]",
        "[status=\"SUCCESS\", distance[cm]=65535]", "[status=\"SUCCESS\", distance[cm]=1, distance[cm]=2]",
        "[status=\"SUCCESS\", distance[cm]=1, loc_el=91]", "[status=\"SUCCESS\", distance[cm]=1, loc_az=-181]",
        "[]", "[=", "[status=\"SUCCESS", "[status=\"SUCCESS\", distance[cm]1]",
    ])
    func `A measurement that cannot be used leaves the others alone`(_ bad: String) {
        let decoding = decode(bad + ";[mac_address=0x0002, status=\"SUCCESS\", distance[cm]=5]")
        #expect(decoding.errors.count == 1)
        #expect(decoding.reports.map(\.distance) == [0.05])
    }

    @Test func `A round without measurements is no report`() {
        #expect(decode("").reports.isEmpty && decode("").errors.isEmpty)
    }
}
