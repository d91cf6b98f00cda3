// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Gzip
import LinuxSystem

/// A file that is read whole, packed by gzip or not.
enum InputFile {
    /// No recording is longer, packed or unpacked.
    static let maximumBytes = 256 << 20

    /// Reads a file; `warn` hears what is wrong with its end.
    static func read(
        _ path: String,
        maximumBytes: Int = maximumBytes,
        warn: (String) -> Void = { StandardStream.error.write($0) }
    ) throws(CommandFailure) -> [UInt8] {
        let bytes: [UInt8]
        do throws(TextFile.Failure) {
            bytes = try TextFile.read(path, maximumBytes: maximumBytes)
        } catch {
            throw CommandFailure(.badData, "\(error)")
        }
        // Whatever the file is called: a name says little about what is in it.
        guard Gzip.isOne(bytes.span) else { return bytes }
        do throws(GzipError) {
            let contents = try Gzip.decompress(bytes.span, maximumBytes: maximumBytes)
            switch contents.ending {
            case .whole: break
            case .cut:
                warn("\(path): the gzip file is cut; what was whole is used\n")
                // Half a line may well look like a whole one, with another number in it.
                guard let end = contents.bytes.lastIndex(of: UInt8(ascii: "\n")) else { return contents.bytes }
                return Array(contents.bytes[...end])
            case .garbage(let offset): warn("\(path): what follows the gzip data at byte \(offset) is passed over\n")
            }
            return contents.bytes
        } catch {
            throw CommandFailure(.badData, "cannot read \(path): \(error)")
        }
    }
}
