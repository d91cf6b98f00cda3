// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// The version of nearby-bridge.
enum Version {
    /// Semantic version.
    static let text = "0.1.0"
    /// The day of this version, for the manual pages.
    static let date = "2026-11-30"
}
