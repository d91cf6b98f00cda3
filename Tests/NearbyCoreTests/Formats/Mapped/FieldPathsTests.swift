// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyCore

@Suite struct FieldPathsTests {
    private func fault(
        each: String? = nil,
        _ fields: [FieldPaths.Field: String],
        okWords: [String] = []
    ) -> FieldPaths.Fault? {
        do throws(FieldPaths.Fault) {
            _ = try FieldPaths(each: each, fields: fields, okWords: okWords)
            return nil
        } catch {
            return error
        }
    }

    @Test func `What is mapped is known`() throws {
        let paths = try FieldPaths(each: "a.b", fields: [.distance: "d", .timestamp: "$.t"], okWords: [])
        #expect(paths.hasList && !paths.hasPosition && paths.has(.distance) && paths.has(.timestamp))
        #expect(!paths.has(.x) && !paths.has(.status))
        let place = try FieldPaths(fields: [.x: "x", .y: "y"])
        #expect(!place.hasList && place.hasPosition)
        #expect(place == (try FieldPaths(fields: [.x: "$.x", .y: "y"])))
        #expect(place != (try FieldPaths(fields: [.x: "x", .y: "yy"])))
    }

    @Test(arguments: ["", ".", "a.", ".a", "a..b", "$."])
    func `A path has no empty parts`(_ path: String) {
        #expect(fault([.distance: path]) == FieldPaths.Fault(field: .distance, reason: .emptyPart))
        #expect(fault(each: path, [.distance: "d"]) == FieldPaths.Fault(field: nil, reason: .emptyPart))
    }

    @Test func `A path has at most sixteen parts of sixty-four bytes`() {
        let deep = Array(repeating: "a", count: 16).joined(separator: ".")
        #expect(fault([.distance: deep]) == nil)
        #expect(fault([.distance: "$." + deep]) == nil)
        #expect(fault([.distance: "d", .peer: deep + ".a"]) == FieldPaths.Fault(field: .peer, reason: .tooDeep))
        let long = String(repeating: "ü", count: 32)
        #expect(fault([.distance: long]) == nil)
        #expect(fault([.distance: long + "."]) == FieldPaths.Fault(field: .distance, reason: .emptyPart))
        #expect(fault([.distance: long + "a"]) == FieldPaths.Fault(field: .distance, reason: .tooLong))
        #expect(fault([.distance: String(repeating: "9", count: 30)]) == nil)
    }

    @Test func `Something is measured, and one thing only`() {
        #expect(fault([:]) == FieldPaths.Fault(field: .distance, reason: .nothingMeasured))
        #expect(fault([.peer: "p"]) == FieldPaths.Fault(field: .distance, reason: .nothingMeasured))
        #expect(fault([.x: "x"]) == FieldPaths.Fault(field: .x, reason: .incompletePosition))
        #expect(fault([.y: "y", .z: "z"]) == FieldPaths.Fault(field: .y, reason: .incompletePosition))
        #expect(fault([.z: "z", .distance: "d"]) == FieldPaths.Fault(field: .z, reason: .incompletePosition))
        let both: [FieldPaths.Field: String] = [.x: "x", .y: "y", .distance: "d"]
        #expect(fault(both) == FieldPaths.Fault(field: .x, reason: .distanceAndPosition))
        #expect(fault([.x: "x", .y: "y", .z: "z"]) == nil)
        let words = fault([.distance: "d"], okWords: ["1"])
        #expect(words == FieldPaths.Fault(field: .status, reason: .wordsWithoutStatus))
        #expect(fault([.distance: "d", .status: "s"], okWords: ["1"]) == nil)
    }
}
