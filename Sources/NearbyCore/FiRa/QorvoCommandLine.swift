// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// A run as one types it into Qorvo's command line firmware (DWM3001CDK, QM33): `INITF …` or `RESPF …`.
///
/// Numbers are decimal there, addresses too. The firmware refuses what lies outside its own limits and then ranges with
/// whatever it had before, so such a run has no line.
public enum QorvoCommandLine {
    /// Why a run cannot be typed.
    public enum Refusal: Error, Hashable, Sendable {
        /// Neither 5 nor 9.
        case channel(UInt8)
        /// Not one of the codes of the frames in use, 9 to 12.
        case preamble(UInt8)
        /// Longer than 12,000 RSTU, or shorter than 1,200.
        case slotDuration(UInt16)
        /// Shorter than 100 ms, or longer than 500 ms.
        case interval(UInt32)
        /// Zero, or more than a signed number of 32 bits.
        case sessionID(UInt32)
        /// Another way to organise rounds than the only one there is.
        case roundControl(UInt8)
    }

    /// Ends whatever runs.
    public static let stop = "STOP"

    /// The line that begins a run, which holds the key material.
    public static func start(_ session: FiRaSession) throws(Refusal) -> String {
        guard session.channel == 5 || session.channel == 9 else { throw .channel(session.channel) }
        guard 9...12 ~= session.preamble else { throw .preamble(session.preamble) }
        guard 1200...12_000 ~= session.slotDuration else { throw .slotDuration(session.slotDuration) }
        guard 100...500 ~= session.interval else { throw .interval(session.interval) }
        guard 1...UInt32(Int32.max) ~= session.sessionID else { throw .sessionID(session.sessionID) }
        guard session.roundControl == 0x03 else { throw .roundControl(session.roundControl) }
        // The vendor's number completes the key material, most significant byte first.
        let vendor = [
            UInt8(truncatingIfNeeded: FiRaSession.vendorID >> 8), UInt8(truncatingIfNeeded: FiRaSession.vendorID),
        ]
        let key = (session.stsIV.bytes + vendor).map { Hexadecimal.text($0, digits: 2) }.joined(separator: ":")
        var words = [session.role == .initiator ? "INITF" : "RESPF"]
        words += ["-CHAN=\(session.channel)", "-PRFSET=BPRF4", "-PCODE=\(session.preamble)"]
        words += ["-SLOT=\(session.slotDuration)", "-BLOCK=\(session.interval)", "-ROUND=\(session.slotsPerRound)"]
        words += ["-RRU=DSTWR", "-ID=\(session.sessionID)", "-VUPPER=\(key)"]
        if session.hoppingMode == 1 { words.append("-HOP") }
        words += ["-ADDR=\(session.address.value)", "-PADDR=\(session.peerAddress.value)"]
        return words.joined(separator: " ")
    }
}
