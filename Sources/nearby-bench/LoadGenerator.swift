// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import CBareClients

/// Range reports of a crowd, from memory, at a rate.
enum LoadGenerator {
    /// Publishes for so long; returns how many, `nil` if the broker went away.
    static func run(port: Int, accessories: Int, rate: Int, milliseconds: Int, qualityOfService: Int) -> Int? {
        let count = nearby_load(
            Int32(port),
            Int32(accessories),
            Int32(rate),
            Int32(milliseconds),
            Int32(qualityOfService)
        )
        return count < 0 ? nil : count
    }
}
