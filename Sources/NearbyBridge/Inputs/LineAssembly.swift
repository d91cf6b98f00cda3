// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// Puts the lines together that a serial port cuts anywhere, so that each is read as one message.
///
/// Formats that begin with a word find their records in any stream, but JSON does not, and no format can be recognised
/// by half a word. Binary packets have no lines: they pass as they come, and the engine puts them together.
struct LineAssembly {
    /// What a stream may hold.
    enum Content {
        /// Lines only.
        case lines
        /// Packets only.
        case packets
        /// Either: bytes that no text has tell which.
        case either
    }

    /// What goes on for so long without an end is handed over as it is (bytes).
    static let longest = 8192
    /// After so long nothing more is expected of a line: some programs end none.
    static let pause: Duration = .milliseconds(100)

    private let content: Content
    private var held: [UInt8] = []
    /// When the last byte came that is held.
    private var heldAt = Instant(nanoseconds: .min)
    /// When bytes came last that no text has.
    private var packetAt = Instant(nanoseconds: .min)

    /// Creates an assembly for a stream of some content.
    init(_ content: Content) {
        self.content = content
    }

    /// When `flush` wants to be called; `nil` if nothing waits.
    var deadline: Instant? { held.isEmpty ? nil : heldAt.advanced(by: Self.pause) }

    /// Takes what came and hands over what is complete.
    mutating func take(_ bytes: Span<UInt8>, at now: Instant, _ body: (Span<UInt8>) -> Void) {
        guard !isOfPackets(bytes, at: now) else {
            guard !held.isEmpty else { return body(bytes) }
            hold(bytes, at: now)
            return handOver(body)
        }
        var start = 0
        // A CR alone ends a line too, but whether it is alone tells the byte after it.
        if held.last == UInt8(ascii: "\r"), bytes.count > 0, bytes[0] != UInt8(ascii: "\n") { handOver(body) }
        for place in bytes.indices {
            let isEnd =
                bytes[place] == UInt8(ascii: "\n")
                || bytes[place] == UInt8(ascii: "\r") && place + 1 < bytes.count
                    && bytes[place + 1] != UInt8(ascii: "\n")
            guard isEnd else { continue }
            let line = bytes.extracting(start..<place + 1)
            start = place + 1
            if held.isEmpty {
                if !Self.isBlank(line) { body(line) }
            } else {
                hold(line, at: now)
                handOver(body)
            }
        }
        hold(bytes.extracting(start..<bytes.count), at: now)
        if held.count >= Self.longest { handOver(body) }
    }

    /// Hands over what waits for an end that does not come.
    mutating func flush(at now: Instant, _ body: (Span<UInt8>) -> Void) {
        guard let deadline, deadline <= now else { return }
        handOver(body)
    }

    /// Drops what waits: its end will never come.
    mutating func forget() {
        held.removeAll(keepingCapacity: true)
        packetAt = Instant(nanoseconds: .min)
    }

    private mutating func handOver(_ body: (Span<UInt8>) -> Void) {
        if !Self.isBlank(held.span) { body(held.span) }
        held.removeAll(keepingCapacity: true)
    }

    private mutating func hold(_ bytes: Span<UInt8>, at now: Instant) {
        guard !bytes.isEmpty else { return }
        for place in bytes.indices { held.append(bytes[place]) }
        heldAt = now
    }

    private mutating func isOfPackets(_ bytes: Span<UInt8>, at now: Instant) -> Bool {
        switch content {
        case .lines: return false
        case .packets: return true
        case .either:
            for place in bytes.indices where Self.isControl(bytes[place]) {
                packetAt = now
                return true
            }
            // The rest of a packet may look like text.
            return packetAt.duration(to: now) <= Self.pause
        }
    }

    private static func isBlank(_ line: Span<UInt8>) -> Bool {
        for place in line.indices {
            switch line[place] {
            case UInt8(ascii: "\r"), UInt8(ascii: "\n"), UInt8(ascii: " "), UInt8(ascii: "\t"): continue
            default: return false
            }
        }
        return true
    }

    /// Whether no text has this byte; terminals are sent tabs, bells and escapes.
    private static func isControl(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x07...0x0A, 0x0D, 0x1B: false
        default: byte < 0x20
        }
    }
}

extension LineAssembly.Content {
    /// What reports of a source are.
    init(_ options: SourceOptions) {
        guard options.fields == nil else {
            self = .lines
            return
        }
        switch options.format {
        case .auto, .uci: self = .either
        case .linktrack: self = .packets
        case .json, .qorvo, .pans, .espresense, .eliko, .omlox, .drtls, .pozyx, .makerfabs, .dw1000, .trek:
            self = .lines
        }
    }
}
