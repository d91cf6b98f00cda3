// nearby-bridge · SPDX-License-Identifier: Apache-2.0

internal import CMosquitto

/// libmosquitto's own result codes that this module tells apart.
enum LibraryCode {
    static let success = code(MOSQ_ERR_SUCCESS)
    static let outOfMemory = code(MOSQ_ERR_NOMEM)
    static let protocolError = code(MOSQ_ERR_PROTOCOL)
    static let invalidArgument = code(MOSQ_ERR_INVAL)
    static let notConnected = code(MOSQ_ERR_NO_CONN)
    static let connectionLost = code(MOSQ_ERR_CONN_LOST)
    static let tls = code(MOSQ_ERR_TLS)
    static let payloadSize = code(MOSQ_ERR_PAYLOAD_SIZE)
    static let errorNumber = code(MOSQ_ERR_ERRNO)
    static let lookup = code(MOSQ_ERR_EAI)
    static let malformedText = code(MOSQ_ERR_MALFORMED_UTF8)
    static let keepAlive = code(MOSQ_ERR_KEEPALIVE)
    static let malformedPacket = code(MOSQ_ERR_MALFORMED_PACKET)
    static let oversizePacket = code(MOSQ_ERR_OVERSIZE_PACKET)

    static func text(of code: Int32) -> String {
        guard let text = unsafe mosquitto_strerror(code) else { return "error \(code)" }
        return unsafe String(cString: text).trimmingFullStop
    }

    /// The text of an MQTT 5 reason code.
    static func reasonText(of code: Int32) -> String {
        guard let text = unsafe mosquitto_reason_string(code) else { return "reason \(code)" }
        return unsafe String(cString: text).trimmingFullStop
    }

    private static func code(_ value: mosq_err_t) -> Int32 { Int32(bitPattern: UInt32(value.rawValue)) }
}

extension String {
    /// libmosquitto ends its texts with a full stop; ours are put together from parts.
    fileprivate var trimmingFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
