// nearby-bridge · SPDX-License-Identifier: Apache-2.0

@testable import NearbyCore

extension RangeFormat {
    /// The format that `auto` takes a payload for.
    static func recognised(_ text: String) -> RangeFormat? {
        RangeFormatRow.index(for: [UInt8](text.utf8).span, format: .auto).map { RangeFormatRow.table[$0].format }
    }
}
