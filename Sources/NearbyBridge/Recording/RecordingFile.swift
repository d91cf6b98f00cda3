// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Gzip
import LinuxSystem
import NearbyCore

/// A recording on its way to the disk, packed if its name ends in `.gz`.
final class RecordingFile {
    /// No line waits longer to be packed: that much is lost if the recorder is killed.
    static let longestWait: Duration = .seconds(1)

    private let file: OutputFile
    private let compressor: GzipCompressor?
    /// When the first line came that was not written through.
    private var waitsSince: Instant?

    /// Takes over a new file.
    init(_ file: OutputFile) throws(GzipError) {
        self.file = file
        compressor = file.path.hasSuffix(".gz") ? try GzipCompressor() : nil
    }

    /// Writes lines, and what has waited long enough; called without lines too, for the latter.
    func write(_ lines: [UInt8], at now: Instant) throws(SystemError) {
        guard let compressor else {
            if !lines.isEmpty { try file.write(lines.span) }
            return
        }
        var packed: [UInt8] = []
        if !lines.isEmpty {
            packed = compressor.compress(lines.span)
            waitsSince = waitsSince ?? now
        }
        if let since = waitsSince, since.advanced(by: Self.longestWait) <= now {
            packed += compressor.flush()
            waitsSince = nil
        }
        if !packed.isEmpty { try file.write(packed.span) }
    }

    /// Writes the end of it.
    func close() throws(SystemError) {
        guard let compressor else { return }
        try file.write(compressor.finish().span)
    }
}
