// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyCore

@Suite struct JSONReportFieldConvergenceTests {
    private func convergence(_ text: String) -> Convergence? {
        let decoding = JSONDecoding("{\"convergence\":\(text)}")
        return decoding.report.flatMap { Convergence($0, in: decoding.payload.span) }
    }

    @Test("Each status is read", arguments: Convergence.Status.allCases)
    func status(_ status: Convergence.Status) {
        #expect(convergence("{\"status\":\"\(status.word)\"}") == Convergence(status: status))
        #expect(convergence("{\"status\":\"\(status.word)\",\"reasons\":[]}") == Convergence(status: status))
    }

    @Test("Each reason is read", arguments: 0..<5)
    func reason(_ index: Int) {
        let row = Convergence.reasonTable[index]
        let text = "{\"status\":\"not_converged\",\"reasons\":[\"\(row.word)\"]}"
        #expect(convergence(text) == Convergence(status: .notConverged, reasons: row.reason))
        #expect(convergence("{\"reasons\":[\"\(row.word)\"]}")?.status == .notConverged)
    }

    @Test("Several reasons hold at once, in any order and more than once")
    func several() {
        let text =
            #"{"reasons":["insufficient_movement","later","insufficient_lighting","a","later"],"status":"unknown","x":{}}"#
        let expected = Convergence(
            status: .unknown,
            reasons: [.insufficientMovement, .insufficientLighting],
            others: ["a", "later"]
        )
        #expect(convergence(text) == expected)
        #expect(expected.words == ["insufficient_movement", "insufficient_lighting", "a", "later"])
    }

    @Test("Reasons that are not known are passed on as plain words only, and eight at most")
    func others() {
        let words = ["Loud", "a b", "a1", "", "ä", String(repeating: "x", count: 65), "a\\u0000b"]
        for word in words {
            #expect(convergence("{\"status\":\"unknown\",\"reasons\":[\"\(word)\"]}")?.others == [], "\(word)")
        }
        let long = String(repeating: "x", count: 64)
        #expect(convergence("{\"reasons\":[\"\(long)\",\"Loud\"]}")?.others == [long])
        let many = (0..<20).map { "\"reason_\(["a", "b", "c", "d", "e"][$0 % 5])_\(["x", "y", "z", "w"][$0 / 5])\"" }
        #expect(convergence("{\"reasons\":[\(many.joined(separator: ","))]}")?.others.count == 8)
        #expect(convergence(#"{"reasons":["\u006cater"]}"#)?.others == ["later"])
    }

    @Test(
        "What says nothing is nothing",
        arguments: ["{}", #"{"reasons":[]}"#, #"{"x":[1]}"#, "null", #"{"reasons":["A"]}"#]
    )
    func nothing(_ text: String) {
        #expect(JSONDecoding("{\"convergence\":\(text)}").report == RangeReport())
    }

    @Test(
        "Convergence of the wrong shape is a fault",
        arguments: [
            #"{"status":"nearly"}"#, #"{"status":1}"#, #"{"reasons":"a"}"#, #"{"reasons":[1]}"#, #"{"reasons":[null]}"#,
            "[]",
        ]
    )
    func fault(_ text: String) {
        #expect(JSONDecoding("{\"convergence\":\(text)}").reason == .invalidValue)
    }
}
