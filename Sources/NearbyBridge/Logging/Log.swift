// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// Writes log lines to standard error, and keeps the newest for `bridge/logging`.
///
/// Safe from any thread. Never given a secret: what goes in here is read by people.
final class Log: Sendable {
    /// Lines that wait to be published; older ones give way.
    private static let mirrorCapacity = 100

    private struct Memory {
        var options: LogOptions
        var mirror: [LogLine] = []
    }

    private let memory: Locked<Memory>
    private let isJournal: Bool
    private let sink: @Sendable ([UInt8]) -> Void

    /// Creates a log.
    ///
    /// - Parameters:
    ///   - options: Which lines are written, and how.
    ///   - isJournal: Whether what is written goes to the journal of systemd.
    ///   - sink: Takes each line with its end; by default standard error.
    init(
        _ options: LogOptions,
        isJournal: Bool = StandardStream.error.isJournal(Environment.value("JOURNAL_STREAM")),
        sink: @escaping @Sendable ([UInt8]) -> Void = { StandardStream.error.write($0.span) }
    ) {
        self.isJournal = isJournal
        self.sink = sink
        memory = Locked(Memory(options: options))
    }

    /// Writes other lines from now on, or in another way.
    func use(_ options: LogOptions) {
        memory.withLock { $0.options = options }
    }

    // A line that nobody wants is not even put together.
    func debug(_ message: @autoclosure () -> String, _ subsystem: LogSubsystem = .bridge) {
        write(.debug, message, subsystem)
    }
    func info(_ message: @autoclosure () -> String, _ subsystem: LogSubsystem = .bridge) {
        write(.info, message, subsystem)
    }
    func warning(_ message: @autoclosure () -> String, _ subsystem: LogSubsystem = .bridge) {
        write(.warning, message, subsystem)
    }
    func error(_ message: @autoclosure () -> String, _ subsystem: LogSubsystem = .bridge) {
        write(.error, message, subsystem)
    }

    /// Takes the lines that were written since the last call, oldest first.
    func takeMirror() -> [LogLine] {
        memory.withLock { memory in
            defer { memory.mirror.removeAll() }
            return memory.mirror
        }
    }

    private func write(_ level: LogLevel, _ message: () -> String, _ subsystem: LogSubsystem) {
        guard memory.withLock({ $0.options.wants(level, of: subsystem) }) else { return }
        let line = LogLine(
            level: level,
            subsystem: subsystem,
            message: Self.onOneLine(message()),
            at: WallClock.now()
        )
        let format = memory.withLock { memory in
            if memory.mirror.count >= Self.mirrorCapacity { memory.mirror.removeFirst() }
            memory.mirror.append(line)
            return memory.options.format
        }
        let priority = isJournal ? Array("<\(level.priority)>".utf8) : []
        switch format {
        case .text: sink(priority + Array((isJournal ? line.journalText : line.text).utf8))
        case .json: sink(priority + line.json + [UInt8(ascii: "\n")])
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
