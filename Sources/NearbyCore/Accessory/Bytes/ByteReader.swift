// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Reads little-endian integers and slices where they lie.
///
/// Every function reads at `offset` and moves it behind what it has read. Where too few bytes are left it returns
/// `nil` and moves nothing.
public enum ByteReader {
    /// Reads an integer, its lowest byte first.
    @inline(__always)
    public static func integer<Value: FixedWidthInteger>(
        _ type: Value.Type = Value.self,
        in bytes: Span<UInt8>,
        at offset: inout Int
    ) -> Value? {
        let size = Value.bitWidth / 8
        guard isWithin(bytes, offset, size) else { return nil }
        var value: Value = 0
        for index in 0..<size {
            value |= Value(truncatingIfNeeded: bytes[offset + index]) << Value(truncatingIfNeeded: 8 * index)
        }
        offset += size
        return value
    }

    /// Copies so many bytes.
    public static func bytes(_ count: Int, in bytes: Span<UInt8>, at offset: inout Int) -> [UInt8]? {
        guard isWithin(bytes, offset, count) else { return nil }
        var copy: [UInt8] = []
        copy.reserveCapacity(count)
        for index in offset..<offset + count { copy.append(bytes[index]) }
        offset += count
        return copy
    }

    /// Copies what is left, which may be nothing.
    public static func rest(of bytes: Span<UInt8>, at offset: inout Int) -> [UInt8] {
        Self.bytes(max(0, bytes.count - max(0, offset)), in: bytes, at: &offset) ?? []
    }

    @inline(__always)
    private static func isWithin(_ bytes: Span<UInt8>, _ offset: Int, _ count: Int) -> Bool {
        offset >= 0 && count >= 0 && offset <= bytes.count && count <= bytes.count - offset
    }
}
