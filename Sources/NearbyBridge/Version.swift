// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// The version of nearby-bridge.
enum Version {
    /// Semantic version.
    static let text = "0.1.0"
}
