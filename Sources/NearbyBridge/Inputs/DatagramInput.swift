// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import NearbyCore

/// A UDP port: each datagram is a message of its own, whoever sends it.
final class DatagramInput: Input {
    /// One turn of the loop takes at most so many.
    static let mostAtOnce = 64
    /// And so many bytes, or one datagram more: a flood may not take the loop's time from everybody else.
    static let mostBytesAtOnce = 128 << 10

    private let host: String
    private let port: Int
    private var socket: DatagramSocket?

    /// A port that is not open yet.
    init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    let greeting = "open"

    var descriptor: Int32 { socket?.descriptor ?? -1 }

    var interest: Poller.Readiness { .readable }

    var deadline: Instant? { nil }

    func open(at now: Instant) throws(SystemError) { socket = try DatagramSocket(host: host, port: port) }

    func close() { socket = nil }

    func work(
        _ buffer: inout [UInt8],
        at now: Instant,
        _ body: (Span<UInt8>, InputMessage) -> Void
    ) throws(SystemError) {
        guard let socket else { return }
        var taken = 0
        for _ in 0..<Self.mostAtOnce where taken < Self.mostBytesAtOnce {
            switch try socket.receive(into: &buffer) {
            case .nothing: return
            case .datagram(let count):
                // Empty ones are how some programs ask whether anybody is there.
                taken += count
                if count > 0 { body(buffer.span.extracting(0..<count), .whole) }
            // Longer than any datagram of UDP can be.
            case .truncated: continue
            }
        }
    }
}
