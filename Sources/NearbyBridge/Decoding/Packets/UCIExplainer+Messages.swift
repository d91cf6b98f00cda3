// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

extension UCIExplainer {
    /// Adds what is known of a message's payload; what is left of it stays as it is.
    mutating func explain(_ header: UCIReader.Header) {
        switch (header.type, header.group, header.opcode) {
        case (2, 0...2, _): addStatus("status")
        case (3, 0, 1):
            add("device_state", UInt8.self, UCIVocabulary.deviceState)
        case (3, 0, 7): addStatus("status")
        case (3, 1, 2):
            add("session_token", UInt32.self) { _ in "the session's id or handle" }
            add("session_state", UInt8.self, UCIVocabulary.sessionState)
            add("reason_code", UInt8.self, UCIVocabulary.sessionReason)
        case (3, 2, 0): explainRanges()
        default: return
        }
    }

    /// Adds a status and warns of one that is unknown.
    mutating func addStatus(_ name: String) {
        guard let status = peek(UInt8.self) else { return }
        let word = UCIVocabulary.status(status)
        add(name, 1, .hexadecimal(status), word ?? "unknown")
        if word == nil { warn("status 0x\(Hexadecimal.text(status, digits: 2)) is unknown, perhaps the vendor's own") }
    }
}
