// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// The comparison for people: a table for each condition, the sweep, the simulated trial, and the sources.
extension ReplayText {
    mutating func comparison(_ comparison: Comparison) {
        for (index, condition) in comparison.conditions.enumerated() {
            let zones = comparison.zones.map { "  | \($0.name), \(Column.decimal($0.radius, 2)) m" }
            add("\n" + Column.left(condition.name, Self.nameWidth))
            add(zones.dropLast().map { Column.left($0, Self.figuresWidth) }.joined() + (zones.last ?? "") + "\n")
            let titles = "  |  true missed false ambig. median   p95"
            add(Column.left("", Self.nameWidth) + comparison.zones.map { _ in titles }.joined() + "\n")
            for row in comparison.rows {
                add(Column.left(row.name, Self.nameWidth) + row.accuracies[index].map(figures).joined() + "\n")
            }
        }
        sweep(comparison)
        add("\nWhere they come from (filters alone have the zone's own hysteresis):\n")
        for row in comparison.rows { add("  \(Column.left(row.name, Self.nameWidth))\(row.source)\n") }
    }

    mutating func trial(_ trial: SimulatedTrial) {
        let zone = "\(Column.decimal(trial.zone.radius, 2)) m"
        if let stands = trial.rows.first?.stands, stands.contains(where: { !$0.isEmpty }) {
            add("\nTransitions of somebody simulated who stands for ten minutes exactly at \(zone), mean and most:\n")
            add(Column.left("", Self.nameWidth))
            add(SimulatedTrial.stands.map { Column.right($0.name, 16) }.joined() + "\n")
            for row in trial.rows {
                let cells = row.stands.map { counts in
                    let mean = Double(counts.reduce(0, +)) / Double(max(1, counts.count))
                    return Column.right("\(Column.decimal(mean, 1)) / \(counts.max() ?? 0)", 16)
                }
                add(Column.left(row.name, Self.nameWidth) + cells.joined() + "\n")
            }
        }
        guard let count = trial.rows.first?.crossings.count, count > 0 else { return }
        add("\n\(count) simulated walks at 1 m/s into \(zone) and out again, everything wrong at its worst at once:\n")
        add(Column.left("", Self.nameWidth) + "  one enter, one exit  enter median   p95  exit median   p95\n")
        for row in trial.rows {
            let share = Column.decimal(100 * Double(row.crossings.exact) / Double(count), 2) + " %"
            add(Column.left(row.name, Self.nameWidth) + Column.right(share, 21))
            add(
                Column.right(Self.delay(row.crossings.enters, 50), 14)
                    + Column.right(Self.delay(row.crossings.enters, 95), 6)
            )
            add(
                Column.right(Self.delay(row.crossings.exits, 50), 13)
                    + Column.right(Self.delay(row.crossings.exits, 95), 6) + "\n"
            )
        }
    }

    private static var nameWidth: Int { 18 }
    private static var figuresWidth: Int { 42 }

    private mutating func sweep(_ comparison: Comparison) {
        let radii = comparison.radii
        add(
            "\nRadii from \(Column.decimal(radii.first ?? 0, 2)) to \(Column.decimal(radii.last ?? 0, 2)) m, as recorded:\n"
        )
        add(Column.left("", Self.nameWidth) + "   true  missed  false  ambig.  missed + false  median   p95\n")
        for row in comparison.rows {
            var sum = Accuracy()
            for accuracy in row.sweep { sum.add(accuracy) }
            let share = 100 * Double(sum.missed + sum.wrong) / Double(max(1, sum.total))
            add(Column.left(row.name, Self.nameWidth) + Column.right("\(sum.total)", 7))
            add(
                Column.right("\(sum.missed)", 8) + Column.right("\(sum.wrong)", 7) + Column.right("\(sum.ambiguous)", 8)
            )
            add(Column.right("\(Column.decimal(share, 2)) %", 16))
            add(Column.right(Self.delay(sum.delays, 50), 8) + Column.right(Self.delay(sum.delays, 95), 6) + "\n")
        }
    }

    private func figures(_ accuracy: Accuracy) -> String {
        "  |" + Column.right("\(accuracy.total)", 6) + Column.right("\(accuracy.missed)", 7)
            + Column.right("\(accuracy.wrong)", 6) + Column.right("\(accuracy.ambiguous)", 7)
            + Column.right(Self.delay(accuracy.delays, 50), 7) + Column.right(Self.delay(accuracy.delays, 95), 6)
    }
}
