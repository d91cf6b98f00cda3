// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

@testable import LinuxSystem

@Suite("A standard stream")
struct StandardStreamTests {
    private func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        unsafe bytes.withUnsafeBufferPointer { unsafe StandardStream.writeAll($0, to: descriptor) }
    }

    @Test("is the journal if the journal says so")
    func journal() {
        var information = stat()
        #expect(unsafe fstat(2, &information) == 0)
        let (device, inode) = (information.st_dev, information.st_ino)
        #expect(StandardStream.error.isJournal("\(device):\(inode)"))
        for other in [nil, "", "\(device)", "\(device):\(inode + 1)", "\(device):\(inode):", "x:y"] {
            #expect(!StandardStream.error.isJournal(other))
        }
    }

    @Test("writes everything although the reader is slow", arguments: [true, false])
    func slowReader(_ isNonBlocking: Bool) throws {
        var ends: [Int32] = [-1, -1]
        _ = unsafe pipe(&ends)
        if isNonBlocking { _ = fcntl(ends[1], F_SETFL, O_NONBLOCK) }
        let (reader, writer) = (ends[0], ends[1])
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
        let received = Locked<[UInt8]>([])
        let thread = try Thread(name: "reader") {
            var chunk = [UInt8](repeating: 0, count: 5000)
            while true {
                let count = unsafe read(reader, &chunk, chunk.count)
                if count <= 0 { return }
                received.withLock { $0.append(contentsOf: chunk[..<count]) }
            }
        }
        #expect(writeAll(bytes, to: writer))
        _ = close(writer)
        thread.join()
        _ = close(reader)
        #expect(received.withLock { $0 } == bytes)
    }

    @Test("says so when nobody reads any more")
    func noReader() {
        Signals.ignoreBrokenPipe()
        var ends: [Int32] = [-1, -1]
        _ = unsafe pipe(&ends)
        _ = close(ends[0])
        #expect(!writeAll([1], to: ends[1]))
        #expect(writeAll([], to: ends[1]))
        _ = close(ends[1])
    }

    @Test("is standard output or standard error")
    func descriptors() {
        #expect(StandardStream.output.rawValue == 1)
        #expect(StandardStream.error.rawValue == 2)
        #expect(StandardStream.error.write(""))
        let nothing: [UInt8] = []
        let isWritten = StandardStream.output.write(nothing.span)
        #expect(isWritten)
    }
}
