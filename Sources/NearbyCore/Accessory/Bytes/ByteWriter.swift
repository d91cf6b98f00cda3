// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Collects little-endian integers and slices.
public struct ByteWriter: Sendable {
    /// What was written so far.
    public private(set) var bytes: [UInt8] = []

    /// Creates a writer with room for so many bytes.
    public init(capacity: Int = 0) {
        bytes.reserveCapacity(max(0, capacity))
    }

    /// Appends an integer, its lowest byte first.
    public mutating func append<Value: FixedWidthInteger>(_ value: Value) {
        for index in 0..<Value.bitWidth / 8 {
            bytes.append(UInt8(truncatingIfNeeded: value >> Value(truncatingIfNeeded: 8 * index)))
        }
    }

    /// Appends bytes as they are.
    public mutating func append(_ other: [UInt8]) {
        bytes += other
    }
}
