// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// The comparison for programs: an object for each pipeline and condition, for its sweep, and for its simulated trial.
extension ReplayJSON {
    mutating func comparison(_ comparison: Comparison) {
        for row in comparison.rows {
            for (condition, accuracies) in zip(comparison.conditions, row.accuracies) {
                let zones = zip(comparison.zones, accuracies).map { ($0.name, $0.radius, $1) }
                write("comparison", condition: condition.name, pipeline: row.name, zones)
            }
            let zones = zip(comparison.radii, row.sweep).map { (String?.none, $0, $1) }
            write("sweep", condition: WalkCondition.recorded.name, pipeline: row.name, zones)
        }
    }

    mutating func trial(_ trial: SimulatedTrial) {
        for row in trial.rows {
            for (stand, counts) in zip(SimulatedTrial.stands, row.stands) where !counts.isEmpty {
                json.beginObject()
                json.pair("noise", stand.name)
                json.pair("pipeline", row.name)
                json.pair("radius", trial.zone.radius)
                json.key("transitions")
                json.beginArray()
                for count in counts { json.integer(Int64(count)) }
                json.endArray()
                json.pair("type", "stand")
                json.endObject()
                endLine()
            }
            guard row.crossings.count > 0 else { continue }
            json.beginObject()
            json.optional("enter_median", row.crossings.enters.percentile(50))
            json.optional("enter_p95", row.crossings.enters.percentile(95))
            json.pair("exact", Int64(row.crossings.exact))
            json.optional("exit_median", row.crossings.exits.percentile(50))
            json.optional("exit_p95", row.crossings.exits.percentile(95))
            json.pair("pipeline", row.name)
            json.pair("radius", trial.zone.radius)
            json.pair("type", "simulated_walks")
            json.pair("walks", Int64(row.crossings.count))
            json.endObject()
            endLine()
        }
    }

    private mutating func write(
        _ type: String,
        condition: String,
        pipeline: String,
        _ zones: [(name: String?, radius: Double, accuracy: Accuracy)]
    ) {
        var sum = Accuracy()
        for zone in zones { sum.add(zone.accuracy) }
        json.beginObject()
        json.pair("ambiguous", Int64(sum.ambiguous))
        json.pair("condition", condition)
        json.optional("delay_median", sum.delay(percentile: 50))
        json.optional("delay_p95", sum.delay(percentile: 95))
        json.pair("false", Int64(sum.wrong))
        json.pair("missed", Int64(sum.missed))
        json.pair("pipeline", pipeline)
        json.pair("true", Int64(sum.total))
        json.pair("type", type)
        json.key("zones")
        json.beginArray()
        for zone in zones {
            json.beginObject()
            json.pair("ambiguous", Int64(zone.accuracy.ambiguous))
            json.optional("delay_median", zone.accuracy.delay(percentile: 50))
            json.optional("delay_p95", zone.accuracy.delay(percentile: 95))
            json.pair("false", Int64(zone.accuracy.wrong))
            json.pair("missed", Int64(zone.accuracy.missed))
            json.pair("radius", zone.radius)
            json.pair("true", Int64(zone.accuracy.total))
            json.optional("zone", zone.name)
            json.endObject()
        }
        json.endArray()
        json.endObject()
        endLine()
    }
}
