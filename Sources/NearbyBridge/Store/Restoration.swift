// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// What a start believes, where the store and the broker's retained topics differ.
enum Restoration {
    private struct Key: Hashable {
        var accessory: String
        var peer: String?
    }

    /// Brings both together, stream by stream.
    ///
    /// The store wins. The broker's copy fills what the store lacks, and wins with a greater number: then another life
    /// went on after the store's, one that ran elsewhere or lost its last commits in a power cut.
    static func merge(_ stored: [RestoredStream], _ retained: [RestoredStream]) -> [RestoredStream] {
        guard !stored.isEmpty else { return retained }
        var merged = stored
        var places: [Key: Int] = [:]
        for (index, stream) in stored.enumerated() {
            places[Key(accessory: stream.accessory, peer: stream.peer)] = index
        }
        for stream in retained {
            guard let place = places[Key(accessory: stream.accessory, peer: stream.peer)] else {
                merged.append(stream)
                continue
            }
            if number(of: stream) > number(of: merged[place]) { merged[place] = stream }
        }
        return merged
    }

    /// The same for groups; who is nearest to what goes with the group's number.
    static func merge(_ stored: [RestoredGroup], _ retained: [RestoredGroup]) -> [RestoredGroup] {
        guard !stored.isEmpty else { return retained }
        var merged = stored
        for group in retained {
            guard let place = merged.firstIndex(where: { $0.group == group.group }) else {
                merged.append(group)
                continue
            }
            if number(group.lastSequence) > number(merged[place].lastSequence) { merged[place] = group }
        }
        return merged
    }

    /// Numbers that no bridge reaches were written by somebody else.
    private static func number(of stream: RestoredStream) -> Int64 { number(stream.lastSequence) }

    private static func number(_ last: Int64?) -> Int64 {
        guard let number = last, number < BridgeEngine.greatestSequence else { return 0 }
        return number
    }
}
