// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Where a distance is going.
public enum Motion: UInt8, Sendable, CaseIterable {
    case still
    case approaching
    case receding
}
