// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyBridge

struct FaultTests {
    @Test(arguments: [
        ("silence", Fault.silence(after: 20, lasting: nil)),
        ("silence:20/8", .silence(after: 20, lasting: 8)),
        ("silence:2.5s/8s", .silence(after: 2.5, lasting: 8)),
        ("no_start", .noStart(1)),
        ("no_start:3", .noStart(3)),
        ("stop:60", .stop(after: 60)),
        ("reboot", .reboot(after: 20)),
        ("slow:0.5s", .slow(by: 0.5)),
        ("mtu_cut", .mtuCut),
        ("duplicate:2", .duplicate(every: 2)),
        ("reorder", .reorder(every: 5)),
        ("spike:-1.5", .spike(metres: -1.5)),
        ("clock_skew:500", .clockSkew(partsPerMillion: 500)),
    ])
    func `a fault is a name, with a value or its usual one`(_ text: String, _ fault: Fault) throws {
        #expect(try Fault(text) == fault)
    }

    @Test(arguments: [
        ("silense", "--fault: unknown fault \"silense\"; did you mean silence?"),
        ("silence:", "--fault: \"\" is no value of silence; write silence:20"),
        ("silence:1/2/3", "--fault: \"1/2/3\" is no value of silence; write silence:20"),
        ("no_start:0", "--fault: \"0\" is no value of no_start; write no_start:1"),
        ("stop:-1", "--fault: \"-1\" is no value of stop; write stop:20"),
        ("slow:nan", "--fault: \"nan\" is no value of slow; write slow:2"),
        ("mtu_cut:3", "--fault: \"3\" is no value of mtu_cut; write mtu_cut"),
    ])
    func `what is wrong with a fault is said with a way out`(_ text: String, _ message: String) {
        let error = #expect(throws: UsageError.self) { try Fault(text) }
        #expect(error?.description == message)
    }

    @Test func `every fault of the table can be given by its name alone`() throws {
        for row in Fault.table.rows { _ = try Fault(row.name) }
    }

    // MARK: Reports

    private func sequences(_ fault: Fault, of count: Int64) -> [Int64] {
        distorted(fault, count).map(\.sequence)
    }

    private func distorted(_ fault: Fault, _ count: Int64) -> [SimulatedReport] {
        var distortion = ReportDistortion([fault])
        return (0..<count).flatMap {
            distortion.apply(SimulatedReport(distance: 2, sequence: $0, time: Double($0)))
        }
    }

    @Test func `reports come twice, or after the next`() {
        #expect(sequences(.duplicate(every: 3), of: 7) == [0, 1, 2, 2, 3, 4, 5, 5, 6])
        #expect(sequences(.reorder(every: 3), of: 8) == [0, 1, 3, 2, 4, 6, 5, 7])
        #expect(sequences(.mtuCut, of: 3) == [0, 1, 2])
    }

    @Test func `every 20th report is too far, and never behind the accessory`() {
        let far = distorted(.spike(metres: 5), 40)
        #expect(far.indices.filter { far[$0].distance == 7 } == [19, 39])
        #expect(distorted(.spike(metres: -5), 20).last?.distance == 0)
    }

    @Test func `a clock that is fast gains with time`() throws {
        let last = try #require(distorted(.clockSkew(partsPerMillion: 1000), 101).last)
        #expect(abs(last.time - 100.1) < 1e-9)
    }
}
