// nearby-bridge · SPDX-License-Identifier: Apache-2.0

internal import CZlib

/// Unpacks gzip files.
public enum Gzip {
    /// What a file held.
    public struct Contents: Equatable, Sendable {
        /// The bytes that were packed, as far as they came.
        public var bytes: [UInt8]
        /// How the file ends.
        public var ending: Ending
    }

    /// How a file ends.
    public enum Ending: Equatable, Sendable {
        /// Properly, with padding of zeros or without.
        case whole
        /// In the middle: its writer was killed, or a part is missing.
        case cut
        /// With something else from this byte on.
        case garbage(offset: Int)
    }

    /// Whether bytes begin like a gzip file.
    public static func isOne(_ bytes: borrowing Span<UInt8>) -> Bool {
        bytes.count >= 2 && bytes[0] == 0x1F && bytes[1] == 0x8B
    }

    /// Unpacks all members of a file, to at most so many bytes.
    public static func decompress(
        _ bytes: borrowing Span<UInt8>,
        maximumBytes: Int
    ) throws(GzipError) -> Contents {
        var contents = Contents(bytes: [], ending: .whole)
        var offset = 0
        while offset < bytes.count {
            guard offset == 0 || isMember(bytes.extracting(offset...)) else {
                contents.ending = isPadding(bytes.extracting(offset...)) ? .whole : .garbage(offset: offset)
                return contents
            }
            let member = bytes.extracting(offset...)
            let end = try unpack(member, at: offset, into: &contents.bytes, maximumBytes: maximumBytes)
            guard let end else {
                contents.ending = .cut
                return contents
            }
            offset += end
        }
        return contents
    }

    /// Whether another member follows, be it that only its first byte came.
    private static func isMember(_ bytes: borrowing Span<UInt8>) -> Bool {
        isOne(bytes) || (bytes.count == 1 && bytes[0] == 0x1F)
    }

    private static func isPadding(_ bytes: borrowing Span<UInt8>) -> Bool {
        for index in bytes.indices where bytes[index] != 0 { return false }
        return true
    }

    /// Unpacks one member.
    ///
    /// - Returns: Where it ends, `nil` if the bytes end first.
    private static func unpack(
        _ member: borrowing Span<UInt8>,
        at offset: Int,
        into unpacked: inout [UInt8],
        maximumBytes: Int
    ) throws(GzipError) -> Int? {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        var stream = unsafe z_stream()
        return try unsafe withUnsafeMutablePointer(to: &stream) { stream throws(GzipError) in
            guard unsafe nearby_inflate_init(stream) == Z_OK else { throw .noMemory }
            defer { unsafe inflateEnd(stream) }
            return try unsafe member.withUnsafeBufferPointer { input throws(GzipError) in
                // zlib reads through this pointer and never writes.
                unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                unsafe stream.pointee.avail_in = UInt32(clamping: input.count)
                while true {
                    let (status, count) = unsafe chunk.withUnsafeMutableBufferPointer { output in
                        unsafe stream.pointee.next_out = output.baseAddress
                        unsafe stream.pointee.avail_out = UInt32(clamping: output.count)
                        let status = unsafe inflate(stream, Z_NO_FLUSH)
                        return unsafe (status, output.count - Int(stream.pointee.avail_out))
                    }
                    guard unpacked.count + count <= maximumBytes else { throw .tooLarge(limit: maximumBytes) }
                    unpacked += chunk[..<count]
                    let consumed = unsafe input.count - Int(stream.pointee.avail_in)
                    switch status {
                    case Z_STREAM_END: return consumed
                    case Z_OK where count > 0 || consumed < input.count: continue
                    case Z_OK, Z_BUF_ERROR: return nil
                    case Z_MEM_ERROR: throw .noMemory
                    default: throw .damaged(offset: offset + consumed)
                    }
                }
            }
        }
    }
}
