// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

extension FieldPaths.Field {
    /// Its key below `sources[].fields`.
    var word: String { "\(self)" }
}

extension FieldPaths.Fault.Reason {
    /// What is wrong, and what to write instead.
    var text: (message: String, fix: String) {
        switch self {
        case .emptyPart: ("a part of the path is empty", "write keys joined by single dots, such as data.distance")
        case .tooDeep: ("more than \(FieldPaths.maximumDepth) parts", "name fields that lie less deep")
        case .tooLong: ("a part has more than \(FieldPaths.maximumPart) bytes", "name shorter keys")
        case .nothingMeasured: ("neither distance nor x and y", "say where the distance stands")
        case .incompletePosition: ("a position needs x and y", "add the missing one")
        case .distanceAndPosition: ("given together with distance", "keep distance, or x and y")
        case .wordsWithoutStatus: ("no path to a status", "add fields.status")
        }
    }
}

extension ConfigurationSettings {
    /// Whether an entry of `sources` names fields.
    func hasFields(_ source: ConfigurationPath) -> Bool {
        FieldPaths.Field.allCases.contains { isGiven(source.appending(key: "fields.\($0.word)")) }
    }
}
