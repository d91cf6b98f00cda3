// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// Writes log lines to standard error, and keeps the newest for `bridge/logging`.
///
/// Safe from any thread. Never given a secret: what goes in here is read by people.
final class Log: Sendable {
    /// How lines are written.
    enum Format: Sendable {
        case text
        case json
    }

    /// Lines that wait to be published; older ones give way.
    private static let mirrorCapacity = 100

    private struct Memory {
        var level: LogLine.Level
        var mirror: [LogLine] = []
    }

    private let format: Format
    private let memory: Locked<Memory>

    /// Creates a log that writes lines of a level and above.
    init(level: LogLine.Level = .info, format: Format = .text) {
        self.format = format
        memory = Locked(Memory(level: level))
    }

    func debug(_ message: String) { write(.debug, message) }
    func info(_ message: String) { write(.info, message) }
    func warning(_ message: String) { write(.warning, message) }
    func error(_ message: String) { write(.error, message) }

    /// Takes the lines that were written since the last call, oldest first.
    func takeMirror() -> [LogLine] {
        memory.withLock { memory in
            defer { memory.mirror.removeAll() }
            return memory.mirror
        }
    }

    private func write(_ level: LogLine.Level, _ message: String) {
        let line = LogLine(level: level, message: Self.onOneLine(message), at: WallClock.now())
        let isWanted = memory.withLock { memory in
            guard level >= memory.level else { return false }
            if memory.mirror.count >= Self.mirrorCapacity { memory.mirror.removeFirst() }
            memory.mirror.append(line)
            return true
        }
        guard isWanted else { return }
        switch format {
        case .text: _ = StandardStream.error.write(line.text)
        case .json: _ = StandardStream.error.write((line.json + [UInt8(ascii: "\n")]).span)
        }
    }

    /// Nothing that came from outside may start a line of its own or steer a terminal.
    private static func onOneLine(_ message: String) -> String {
        guard message.unicodeScalars.contains(where: isControl) else { return message }
        var scalars = String.UnicodeScalarView()
        for scalar in message.unicodeScalars { scalars.append(isControl(scalar) ? "�" : scalar) }
        return String(scalars)
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
            || scalar.properties.generalCategory == .lineSeparator
            || scalar.properties.generalCategory == .paragraphSeparator
    }
}
