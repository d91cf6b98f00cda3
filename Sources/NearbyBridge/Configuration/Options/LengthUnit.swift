// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// A unit of length, by its symbol.
enum LengthUnit: String, CaseIterable, Sendable {
    case metre = "m"
    case centimetre = "cm"
    case millimetre = "mm"
    case foot = "ft"
    case inch = "in"

    /// The symbols.
    static let words = allCases.map(\.rawValue)

    /// Metres in one.
    var metres: Double {
        switch self {
        case .metre: 1
        case .centimetre: 0.01
        case .millimetre: 0.001
        case .foot: 0.3048
        case .inch: 0.0254
        }
    }
}
