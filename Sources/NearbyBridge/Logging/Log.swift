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
    private let sink: @Sendable ([UInt8]) -> Void

    /// Creates a log that writes lines of a level and above.
    ///
    /// - Parameters:
    ///   - level: The least level that is written.
    ///   - format: How lines are written.
    ///   - sink: Takes each line with its end; by default standard error.
    init(
        level: LogLine.Level = .info,
        format: Format = .text,
        sink: @escaping @Sendable ([UInt8]) -> Void = { StandardStream.error.write($0.span) }
    ) {
        self.format = format
        self.sink = sink
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
        case .text: sink(Array(line.text.utf8))
        case .json: sink(line.json + [UInt8(ascii: "\n")])
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
