// nearby-bridge · SPDX-License-Identifier: Apache-2.0

extension RangeFormat {
    /// Metres in one of the format's own units of distance; `nil` where it has several, or may be any.
    public var metresPerUnit: Double? {
        switch self {
        case .json, .pans, .dw1000, .drtls, .espresense, .omlox: 1
        case .uci, .qorvo: 0.01
        case .trek, .linktrack, .pozyx: 0.001
        // Eliko's ranges are centimetres and its coordinates metres.
        case .auto, .makerfabs, .eliko: nil
        }
    }
}
