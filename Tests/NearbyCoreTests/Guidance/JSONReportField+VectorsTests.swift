// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import Testing

@Suite struct JSONReportFieldVectorsTests {
    private func decode(_ text: String) -> JSONDecoding { JSONDecoding(text) }

    @Test("A position has two or three metres, and takes the place of a distance")
    func position() {
        let flat = decode(#"{"position":[1.5,-2]}"#).report
        #expect(flat?.position == [1.5, -2, 0])
        #expect(flat?.isHorizontal == true)
        let high = decode(#"{"position":[1.5,-2,0.5],"peer":"alice"}"#).report
        #expect(high?.position == [1.5, -2, 0.5])
        #expect(high?.isHorizontal == false)
    }

    @Test("Whoever has measured a distance, or failed, tells no position")
    func distanceFirst() {
        for text in [#"{"position":[1,2],"distance":3}"#, #"{"distance":3,"position":[1,2]}"#] {
            #expect(decode(text).report?.distance == 3)
            #expect(decode(text).report?.position == nil)
        }
        #expect(decode(#"{"position":[1,2],"status":"timeout"}"#).report?.position == nil)
        #expect(decode(#"{"position":[1,2],"distance":null}"#).report?.position == [1, 2, 0])
    }

    @Test(
        "A position that is none is a fault",
        arguments: ["[1]", "[1,2,3,4]", "[]", "7", "[1,\"2\"]", "[true,1]", "[1e8,0]"]
    )
    func positionFault(_ text: String) {
        #expect(decode("{\"position\":\(text)}").reason == .invalidValue)
    }

    @Test("A position that is not known whole is absent", arguments: ["null", "[null,1]", "[1,NaN]", "[1,2,Infinity]"])
    func positionAbsent(_ text: String) {
        #expect(decode("{\"position\":\(text)}").report == RangeReport())
    }

    @Test("A world position has three metres")
    func worldPosition() {
        #expect(decode(#"{"world_position":[0.5,-1,2]}"#).report?.worldPosition == [0.5, -1, 2])
        for text in ["[1,2]", "[1,2,3,4]", "{}", "[1,2,[3]]"] {
            #expect(decode("{\"world_position\":\(text)}").reason == .invalidValue, "\(text)")
        }
        for text in ["[1,2,null]", "[1e200,0,0]"] {
            #expect(decode("{\"world_position\":\(text)}").report == RangeReport(), "\(text)")
        }
    }

    @Test("Of a world transform the last of its four columns is the place")
    func worldTransform() {
        let matrix = "[1,0,0,0, 0,1,0,0, 0,0,1,0, 0.25,-0.5,3,1]"
        #expect(decode("{\"world_transform\":\(matrix)}").report?.worldPosition == [0.25, -0.5, 3])
        for text in [
            "{\"world_transform\":\(matrix),\"world_position\":[7,8,9]}",
            "{\"world_position\":[7,8,9],\"world_transform\":\(matrix)}",
        ] {
            #expect(decode(text).report?.worldPosition == [7, 8, 9])
        }
        let count = (0..<15).map { "\($0)" }.joined(separator: ",")
        for text in ["[\(count)]", "[\(count),1,1]", "[[1,0,0,0]]"] {
            #expect(decode("{\"world_transform\":\(text)}").reason == .invalidValue, "\(text)")
        }
        #expect(decode("{\"world_transform\":[\(count),null]}").report == RangeReport())
    }
}
