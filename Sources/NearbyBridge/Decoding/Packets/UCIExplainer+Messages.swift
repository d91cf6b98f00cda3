// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

extension UCIExplainer {
    /// Adds what is known of a message's payload; what is left of it stays as it is.
    mutating func explain(_ header: UCIReader.Header) {
        switch (header.type, header.group, header.opcode) {
        case (1, 1, 0):
            add("session_id", UInt32.self)
            add("session_type", UInt8.self) { $0 == 0 ? "ranging" : "another purpose than ranging" }
        case (1, 1, 1), (1, 2, 0), (1, 2, 1): addSessionToken()
        case (1, 1, 3): explainParameters()
        case (2, 0...2, _): addStatus("status")
        case (3, 0, 1):
            add("device_state", UInt8.self, UCIVocabulary.deviceState)
        case (3, 0, 7): addStatus("status")
        case (3, 1, 2):
            addSessionToken()
            add("session_state", UInt8.self, UCIVocabulary.sessionState)
            add("reason_code", UInt8.self, UCIVocabulary.sessionReason)
        case (3, 2, 0): explainRanges()
        default: return
        }
    }

    private mutating func addSessionToken() {
        add("session_token", UInt32.self) { _ in "the session's id or handle" }
    }

    /// Adds the application configuration that a session is given.
    private mutating func explainParameters() {
        addSessionToken()
        let count = peek(UInt8.self) ?? 0
        add("number_of_parameters", UInt8.self)
        for _ in 0..<count {
            guard let number = peek(UInt8.self), let length = peek(UInt8.self, skipping: 1) else { return }
            let parameter = FiRaParameter(rawValue: number)
            add("parameter", 1, .hexadecimal(number), parameter?.name ?? "not of Nearby Interaction")
            add("parameter_length", UInt8.self)
            let value: DecodedField.Value =
                switch length {
                case 1: peek(UInt8.self).map { .decimal($0) } ?? .none
                case 2: peek(UInt16.self).map { .decimal($0) } ?? .none
                case 4: peek(UInt32.self).map { .decimal($0) } ?? .none
                default: .none
                }
            let isSecret = parameter == .staticSTSIV
            add("value", Int(length), isSecret ? .none : value, isSecret ? "key material" : "", isSecret: isSecret)
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
