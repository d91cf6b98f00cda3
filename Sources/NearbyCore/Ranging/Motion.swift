// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Where a distance is going.
public enum Motion: UInt8, Sendable, CaseIterable {
    /// Neither comes nearer nor goes away.
    case still
    /// The distance shrinks.
    case approaching
    /// The distance grows.
    case receding
}
