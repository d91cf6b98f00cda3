// nearby-bridge · SPDX-License-Identifier: Apache-2.0

internal import CZlib

/// Packs a stream of bytes into one member of a gzip file.
@safe public final class GzipCompressor {
    /// How much of what was taken must come out.
    private enum Flush {
        /// As much as packs well.
        case none
        /// All of it.
        case whole
        /// All of it, and the end of the member.
        case end
    }

    // zlib keeps the address of its stream, so it may not move.
    private let stream: UnsafeMutablePointer<z_stream>

    /// Makes a compressor; throws if there is no memory for it.
    public init() throws(GzipError) {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        guard unsafe nearby_deflate_init(stream) == Z_OK else {
            unsafe stream.deallocate()
            throw .noMemory
        }
    }

    deinit {
        unsafe deflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// Takes bytes and returns what is packed so far, often nothing.
    public func compress(_ bytes: borrowing Span<UInt8>) -> [UInt8] { run(bytes, .none) }

    /// Returns everything taken so far: whoever reads up to here can unpack it.
    public func flush() -> [UInt8] { run([UInt8]().span, .whole) }

    /// Returns the end of the member; nothing may be taken after it.
    public func finish() -> [UInt8] { run([UInt8]().span, .end) }

    private func run(_ bytes: borrowing Span<UInt8>, _ flush: Flush) -> [UInt8] {
        var packed: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        let mode =
            switch flush {
            case .none: Z_NO_FLUSH
            case .whole: Z_SYNC_FLUSH
            case .end: Z_FINISH
            }
        unsafe bytes.withUnsafeBufferPointer { input in
            // zlib reads through this pointer and never writes.
            unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            unsafe stream.pointee.avail_in = UInt32(clamping: input.count)
            while true {
                let count = unsafe chunk.withUnsafeMutableBufferPointer { output in
                    unsafe stream.pointee.next_out = output.baseAddress
                    unsafe stream.pointee.avail_out = UInt32(clamping: output.count)
                    _ = unsafe deflate(stream, mode)
                    return unsafe output.count - Int(stream.pointee.avail_out)
                }
                packed += chunk[..<count]
                // Room was left: nothing more comes.
                if count < chunk.count { return }
            }
        }
        return packed
    }
}
