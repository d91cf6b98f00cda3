// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// One field of explained bytes.
struct DecodedField: Equatable, Sendable {
    /// What a field holds.
    enum Value: Equatable, Sendable {
        /// A number, and how people write it.
        case number(Int64, String)
        /// A measure with so many decimals, and its unit (`deg` are degrees).
        case quantity(Double, decimals: Int, unit: String)
        /// A text.
        case text(String)
        /// Nothing beyond the bytes.
        case none
    }

    /// Where it begins.
    var offset: Int
    /// Its bytes.
    var bytes: [UInt8]
    /// Its name in snake case.
    var name: String
    /// What it holds.
    var value: Value
    /// What that means, empty if there is nothing to say.
    var meaning: String
    /// Whether its bytes are not to be shown.
    var isSecret: Bool
}
