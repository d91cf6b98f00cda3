// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Finds the known name that a mistyped one most probably stands for.
enum NearestName {
    /// The nearest of some names, `nil` if none is near enough to be what was meant: by so many letters at most.
    static func of(_ name: String, in known: [String], within most: Int = .max) -> String? {
        let typed = fold(name)
        guard !typed.isEmpty, typed.count <= 64 else { return nil }
        let allowed = min(most, typed.count <= 3 ? 1 : typed.count <= 6 ? 2 : 3)
        var best: (name: String, distance: Int)?
        for candidate in known {
            let letters = fold(candidate)
            guard abs(letters.count - typed.count) <= allowed else { continue }
            let distance = distance(typed, letters)
            if distance <= allowed, distance < letters.count, distance < best?.distance ?? .max {
                best = (candidate, distance)
            }
        }
        return best?.name
    }

    /// What to write instead of an unknown name.
    static func hint(_ name: String, in known: [String]) -> String {
        of(name, in: known).map { "did you mean \($0)?" } ?? "one of \(known.joined(separator: ", "))"
    }

    /// Case and the choice between `-` and `_` are no reason not to recognise a name.
    private static func fold(_ name: String) -> [UInt8] {
        name.lowercased().utf8.map { $0 == UInt8(ascii: "-") ? UInt8(ascii: "_") : $0 }
    }

    /// Insertions, deletions, substitutions and swaps of neighbours that turn one name into the other.
    private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var beforeLast = [Int](repeating: 0, count: b.count + 1)
        var last = Array(0...b.count)
        for i in a.indices {
            var current = [i + 1]
            for j in b.indices {
                var cost = min(last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, current[j] + 1)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, beforeLast[j - 1] + 1) }
                current.append(cost)
            }
            (beforeLast, last) = (last, current)
        }
        return last[b.count]
    }
}
