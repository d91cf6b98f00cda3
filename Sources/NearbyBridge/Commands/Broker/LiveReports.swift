// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import MosquittoClient
import NearbyCore

/// Listens to accessories for a while, as the bridge would: what it hears is kept as a recording and replayed.
struct LiveReports {
    /// No more is kept of what is heard (bytes).
    static let maximumBytes = InputFile.maximumBytes
    /// Without a terminal one line of progress in so many seconds.
    private static let progressStep = 10.0

    let options: BridgeOptions
    /// Only this accessory; `nil` is everybody.
    let accessory: String?
    let log: Log
    let signals: Signals

    /// Listens for so long, or until Ctrl-C; one part for each time without a gap.
    func listen(for duration: Duration) throws(CommandFailure) -> [[ReportObservation]] {
        var bytes: [UInt8] = []
        var progress = Progress(of: duration)
        let recorder = try RunCommand.systemCall { () throws(SystemError) in
            try Recorder(
                options,
                accessories: accessory.map { [$0] } ?? [],
                // Whoever listens to everybody listens to those anyway.
                filters: accessory == nil ? [] : options.sources.filters,
                withSecrets: false,
                signals: signals,
                log: log
            ) { lines in
                bytes += lines
                progress.tell(count: lines.count { $0 == UInt8(ascii: "\n") })
                return bytes.count < Self.maximumBytes
            }
        }
        let ending = recorder.run(for: duration)
        progress.end()
        let address = "\(options.broker.host):\(options.broker.port)"
        switch ending {
        case .neverSubscribed:
            throw CommandFailure(.unavailable, "the broker at \(address) does not let this user listen")
        case .sinkClosed:
            let size = ByteSizeText.write(Self.maximumBytes)
            StandardStream.error.write("more than \(size) came: listening ended early; name one with --accessory\n")
        case .asked: break
        }
        if let refused = recorder.refused.first(where: { $0.hasSuffix("/report") }) {
            throw CommandFailure(.unavailable, "the broker at \(address) does not let this user read \(refused)")
        }
        return try observations(of: bytes)
    }

    private func observations(of bytes: [UInt8]) throws(CommandFailure) -> [[ReportObservation]] {
        let recording = try CommandFailure.badData { () throws(Walk.Fault) in
            try Recording.parse(bytes, file: "what was heard")
        }
        var replay = Replay(options: options.engine, name: "live", sources: options.sources, isObserving: true)
        _ = replay.events(of: recording)
        let parts = replay.takeObservations()
        guard let accessory else { return parts }
        return parts.map { $0.filter { $0.accessory == accessory } }.filter { !$0.isEmpty }
    }

    /// A line that grows with time: on a terminal always the same one.
    private struct Progress {
        private let whole: Double
        private let began = MonotonicClock.now()
        private let isTerminal = Terminal.isTerminal(StandardStream.error.rawValue)
        private var told = 0.0
        private var messages = 0

        init(of duration: Duration) { whole = Double(duration.wholeNanoseconds) * 1e-9 }

        mutating func tell(count: Int) {
            messages += count
            let seconds = Double(MonotonicClock.now() &- began) * 1e-9
            guard seconds - told >= (isTerminal ? 0.5 : LiveReports.progressStep) else { return }
            told = seconds
            let text = "\(Column.decimal(seconds, 0)) of \(Column.decimal(whole, 0)) s, \(messages) messages"
            StandardStream.error.write(isTerminal ? "\r\(text)   " : "\(text)\n")
        }

        func end() {
            if isTerminal, told > 0 { StandardStream.error.write("\r\u{1B}[K") }
        }
    }
}
