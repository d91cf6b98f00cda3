// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import NearbyCore

/// A device or port that may come and go.
///
/// Nothing here blocks, and the time is told: the loop drives it.
protocol Input: AnyObject {
    /// What to wait for; negative while it is closed.
    var descriptor: Int32 { get }
    /// What for.
    var interest: Poller.Readiness { get }
    /// When `work` wants to be called although nothing came.
    var deadline: Instant? { get }
    /// What to say when it is open.
    var greeting: String { get }

    /// Opens it.
    func open(at now: Instant) throws(SystemError)

    /// Closes it and forgets what it left unfinished.
    func close()

    /// Reads what has come, so much of it as one turn of the loop may take, and does what the time brings.
    ///
    /// - Parameters:
    ///   - buffer: Memory to read into, at least as long as any datagram.
    ///   - now: The time.
    ///   - body: Takes each message.
    /// - Throws: If it is gone: then close it.
    func work(
        _ buffer: inout [UInt8],
        at now: Instant,
        _ body: (Span<UInt8>, InputMessage) -> Void
    ) throws(SystemError)
}

/// How a message of an input came about.
enum InputMessage {
    /// A line or so: what it leaves unfinished the next one may go on with.
    case partOfStream
    /// A datagram: what it leaves unfinished is lost.
    case whole
}
