// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import NearbyCore

/// A serial device: read in lines, and told what it has to do each time it is opened.
final class SerialInput: Input {
    /// Before each line that the device is sent: shells need time to start, and to carry out the one before.
    static let pause: Duration = .milliseconds(500)

    let greeting: String
    private let path: String
    private let bitsPerSecond: Int
    private let lines: [[UInt8]]
    private var port: SerialPort?
    private var assembly: LineAssembly
    /// How many of the lines were sent, and when the next one is.
    private var sent = 0
    private var nextLine: Instant?

    /// A device that is not open yet.
    init(_ path: String, bitsPerSecond: Int, lines: [String], content: LineAssembly.Content) {
        self.path = path
        self.bitsPerSecond = bitsPerSecond
        self.lines = lines.map(Self.bytes(of:))
        assembly = LineAssembly(content)
        greeting = "open at \(bitsPerSecond) baud"
    }

    /// What is sent for a line of the configuration: CR LF is added unless a line end is there.
    static func bytes(of line: String) -> [UInt8] {
        let bytes = Array(line.utf8)
        return bytes.last == UInt8(ascii: "\r") || bytes.last == UInt8(ascii: "\n") ? bytes : bytes + Array("\r\n".utf8)
    }

    var descriptor: Int32 { port?.descriptor ?? -1 }

    var interest: Poller.Readiness { port?.wantsWrite == true ? [.readable, .writable] : .readable }

    var deadline: Instant? {
        // What is being sent goes on when the device takes it.
        let line = port?.wantsWrite == true ? nil : nextLine
        guard let line, let end = assembly.deadline else { return line ?? assembly.deadline }
        return min(line, end)
    }

    func open(at now: Instant) throws(SystemError) {
        port = try SerialPort(path, bitsPerSecond: bitsPerSecond)
        sent = 0
        nextLine = lines.isEmpty ? nil : now.advanced(by: Self.pause)
    }

    func close() {
        port = nil
        nextLine = nil
        assembly.forget()
    }

    func work(
        _ buffer: inout [UInt8],
        at now: Instant,
        _ body: (Span<UInt8>, InputMessage) -> Void
    ) throws(SystemError) {
        guard let port else { return }
        let count = try port.read(into: &buffer)
        if count > 0 { assembly.take(buffer.span.extracting(0..<count), at: now) { body($0, .partOfStream) } }
        assembly.flush(at: now) { body($0, .partOfStream) }
        try port.flush()
        try sendLine(port, at: now)
    }

    private func sendLine(_ port: SerialPort, at now: Instant) throws(SystemError) {
        guard !port.wantsWrite, let due = nextLine, due <= now else { return }
        try port.send(lines[sent])
        sent += 1
        nextLine = sent < lines.count ? now.advanced(by: Self.pause) : nil
    }
}
