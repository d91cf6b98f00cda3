// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import TestSupport
import Testing

@testable import NearbyBridge

struct WalkTests {
    private func parse(_ text: String) throws(Walk.Fault) -> [Walk.Sample] {
        try Walk.parse(Array(text.utf8), file: "dir/walk.csv").samples
    }

    private func fault(_ text: String) -> Walk.Fault? {
        do {
            _ = try parse(text)
            return nil
        } catch {
            return error
        }
    }

    @Test func `columns are found by name, others are passed over`() throws {
        let samples = try parse("x,true_m, t_s ,y,measured_m\n9,1.5,0.1,8,1.25\nx,2.5,0.2,,2.75\n")
        #expect(
            samples == [
                Walk.Sample(time: 0.1, measured: 1.25, truth: 1.5), Walk.Sample(time: 0.2, measured: 2.75, truth: 2.5),
            ]
        )
    }

    @Test(arguments: [
        "t_s,measured_m\r\n1,2\r\n\r\n3,4\r\n", "t_s,measured_m\n1,2\n\n  \n\t\n3,4", "t_s,measured_m\r1,2\r3,4",
        "\u{FEFF}t_s,measured_m\n1,2\n3,4\n", "t_s,measured_m\n 1 , 2 \n3,\t4\n", "t_s,measured_m\n1,2,7,8\n3,4\n",
        "t_s,measured_m\n1,2\n2,\n2.5\n3,4\n",
    ])
    func `line ends, blank lines, spaces, marks and empty fields do not matter`(_ text: String) throws {
        let expected = [
            Walk.Sample(time: 1, measured: 2, truth: nil), Walk.Sample(time: 3, measured: 4, truth: nil),
        ]
        #expect(try parse(text) == expected)
    }

    @Test func `the truth may be missing here and there`() throws {
        let bytes = Array("t_s,measured_m,true_m\n1,2,3\n2,2,\n3,2\n".utf8)
        let walk = try Walk.parse(bytes, file: "a")
        #expect(walk.samples.map(\.truth) == [3, nil, nil])
        #expect(!walk.hasTruth)
        #expect(try Walk.parse(Array("t_s,measured_m,true_m\n1,2,3\n2,,\n".utf8), file: "a").hasTruth)
        #expect(try !Walk.parse(Array("t_s,measured_m,true_m\n".utf8), file: "a").hasTruth)
    }

    @Test(arguments: [
        ("", 1, "the first line must name"),
        ("t_s\n1\n", 1, "the first line must name"),
        ("measured_m,true_m\n1,2\n", 1, "the first line must name"),
        ("1,2\n3,4\n", 1, "the first line must name"),
        ("\n t_s,measured_m\n1,2\n", 1, "the first line must name"),
        ("t_s,measured_m\n1,2\nx,3\n", 3, "t_s is not a number"),
        ("t_s,measured_m\n1,2\n\n2,far\n", 4, "measured_m is not a number"),
        ("t_s,measured_m,true_m\n1,2,3\n2,3,?\n", 3, "true_m is not a number"),
        ("t_s,measured_m\n1,nan\n", 2, "measured_m is not a number"),
        ("t_s,measured_m\n1,-inf\n", 2, "measured_m is not a number"),
        ("t_s,measured_m\n1,1e999\n", 2, "measured_m is not a number"),
        ("t_s,measured_m\nnan,1\n", 2, "t_s is not a number"),
        ("t_s,measured_m\n,1\n", 2, "t_s is missing"),
        ("t_s,measured_m\n1764511312,1\n", 2, "t_s must be seconds from the start"),
        ("t_s,measured_m\n-1e300,1\n", 2, "t_s must be seconds from the start"),
        ("t_s,measured_m\r\n2,1\r\n1,1\r\n", 3, "t_s runs backwards"),
    ])
    func `a fault names file and line and says what to do`(_ text: String, _ line: Int, _ message: String) throws {
        let found = fault(text)
        let fault = try #require(found)
        #expect(fault.line == line)
        #expect(fault.message.hasPrefix(message))
        #expect(fault.description.hasPrefix("dir/walk.csv:\(line): \(message)"))
    }

    @Test func `two samples may share a time`() throws {
        #expect(try parse("t_s,measured_m\n1,2\n1,3\n").count == 2)
    }

    @Test func `absurd distances are read, the engine refuses them`() throws {
        let walk = try Walk.parse(Array("t_s,measured_m\n1,1e300\n2,-1e300\n3,1\n".utf8), file: "a")
        #expect(walk.samples.count == 3)
        var replay = Replay(options: .init(), name: "a")
        #expect(replay.events(of: walk).isEmpty)
    }

    @Test(arguments: [("a.csv", "a"), ("/x/y/b.csv", "b"), ("c", "c"), ("d.csv.csv", "d.csv"), ("", ""), ("/", "/")])
    func `a walk is named after its file`(_ file: String, _ name: String) throws {
        #expect(try Walk.parse(Array("t_s,measured_m\n".utf8), file: file).name == name)
    }

    @Test func `a file cut at any byte never traps`() throws {
        let whole = try Fixtures.read("uwb-walk/los-case3-a12.csv").prefix(1200)
        var parsed = 0
        for length in 0...whole.count {
            if (try? Walk.parse(Array(whole[..<length]), file: "a")) != nil { parsed += 1 }
        }
        #expect(parsed > 1000)
    }

    @Test func `any byte in any place never traps`() throws {
        let whole = Array("t_s,measured_m,true_m\r\n0.1,2.5,2.4\r\n0.2,,\r\n0.3,2.3,2.2\r\n".utf8)
        var faults = 0
        for position in whole.indices {
            for byte in UInt8.min...UInt8.max {
                var changed = whole
                changed[position] = byte
                if (try? Walk.parse(changed, file: "a")) == nil { faults += 1 }
            }
        }
        #expect(faults > 0 && faults < whole.count * 256)
    }
}
