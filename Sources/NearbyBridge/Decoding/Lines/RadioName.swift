// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// What a number is called that a radio has for another one.
enum RadioName {
    /// The number as `peers:` has it.
    static func of(_ number: UInt64) -> String { "\(RadioAddress(number))" }
}
