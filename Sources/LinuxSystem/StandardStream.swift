// nearby-bridge · SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc

/// Standard output and standard error without a buffer.
public enum StandardStream: Int32, Sendable {
    /// Descriptor 1: what the user asked for.
    case output = 1
    /// Descriptor 2: what the user should know besides.
    case error = 2

    /// Writes a whole text; see `write(_:)` for bytes.
    @discardableResult
    public func write(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in unsafe Self.writeAll(bytes, to: rawValue) }
    }

    /// Writes all bytes, waiting as long as the reader needs.
    ///
    /// Returns false when nobody reads any more or the device failed: then stop writing. Any thread; two callers'
    /// texts do not mix as long as each stays under 4,096 bytes.
    @discardableResult
    public func write(_ bytes: borrowing Span<UInt8>) -> Bool {
        unsafe bytes.withUnsafeBufferPointer { buffer in unsafe Self.writeAll(buffer, to: rawValue) }
    }

    /// Whether the stream is the journal of systemd, which says so in `JOURNAL_STREAM`: `device:inode`.
    public func isJournal(_ journalStream: String?) -> Bool {
        var information = stat()
        guard let journalStream, unsafe fstat(rawValue, &information) == 0 else { return false }
        return journalStream == "\(information.st_dev):\(information.st_ino)"
    }

    static func writeAll(_ bytes: UnsafeBufferPointer<UInt8>, to descriptor: Int32) -> Bool {
        var rest = unsafe UnsafeRawBufferPointer(bytes)[...]
        while unsafe !rest.isEmpty {
            let part = unsafe UnsafeRawBufferPointer(rebasing: rest)
            let count = unsafe Glibc.write(descriptor, part.baseAddress, part.count)
            if count >= 0 {
                unsafe rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                // Somebody made a shared terminal non-blocking: wait for room.
                var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = unsafe poll(&entry, 1, -1)
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }
}
