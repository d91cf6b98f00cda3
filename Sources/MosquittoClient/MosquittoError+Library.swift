// nearby-bridge · SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import LinuxSystem

/// What was known at the moment a library call failed.
struct FailureContext {
    /// A verb phrase for the error's text.
    var operation: String
    /// The library's result.
    var code: Int32
    /// `errno` right after the call.
    var errorNumber: Int32
    /// Whether the broker had accepted us before.
    var isConnected: Bool
    /// Whether TLS is on.
    var usesTLS: Bool
    /// Whether the handshake of TLS was finished.
    var isSecured: Bool
    /// The host, for texts about certificates.
    var host: String
    /// The library's last complaints, oldest first.
    var log: [String]
    /// What OpenSSL had against the broker's certificate.
    var verificationFailure: String?
}

extension MosquittoError {
    /// Turns a failed library call into what it means.
    init(_ context: FailureContext) {
        let kind: Kind
        let detail: String
        var advice: String?
        var cause: TLSCause?
        switch context.code {
        case LibraryCode.outOfMemory:
            (kind, detail) = (.outOfMemory, "out of memory")
        case LibraryCode.lookup:
            (kind, detail) = (.lookup, Self.lookupText(context.errorNumber))
        case LibraryCode.keepAlive:
            (kind, detail) = (.keepAlive, "the broker has not answered for longer than the keep-alive time")
        case LibraryCode.tls:
            (kind, detail, advice, cause) = Self.tlsFailure(context)
        case LibraryCode.connectionLost:
            (kind, detail, advice, cause) = Self.lostConnection(context)
        case LibraryCode.errorNumber:
            (kind, detail, advice, cause) = Self.systemFailure(context)
        case LibraryCode.payloadSize, LibraryCode.oversizePacket:
            (kind, detail) = (.payloadTooLarge, "the message is larger than MQTT or the broker allows")
        case LibraryCode.notConnected:
            (kind, detail) = (.notConnected, "there is no connection")
        case LibraryCode.protocolError, LibraryCode.malformedPacket, LibraryCode.malformedText:
            kind = .protocolError
            detail = "what came back is not proper MQTT (\(LibraryCode.text(of: context.code)))"
            advice = context.isConnected || context.usesTLS ? nil : "Does that port expect TLS?"
        default:
            (kind, detail) = (.other, LibraryCode.text(of: context.code))
        }
        self.init(operation: context.operation, kind: kind, code: context.code, detail: detail, advice: advice)
        tlsCause = cause
    }

    private static func lookupText(_ code: Int32) -> String {
        guard let text = unsafe gai_strerror(code) else { return "the name cannot be looked up" }
        return "the host name cannot be looked up (\(unsafe String(cString: text)))"
    }

    private static func lostConnection(_ context: FailureContext) -> (Kind, String, String?, TLSCause?) {
        if context.isConnected {
            // Before 2.1 mosquitto does not say that another client took over.
            let advice = "If that happens again and again, another client may use the same client identifier."
            return (.closedByBroker, "the broker closed the connection", advice, nil)
        }
        // With TLS 1.3 a broker learns only after the handshake that it does not like our certificate.
        if context.usesTLS { return tlsFailure(context) }
        return (
            .closedByBroker, "the broker closed the connection without an answer",
            "Does that port expect TLS, or does the broker not speak this MQTT version?", nil
        )
    }

    private static func systemFailure(_ context: FailureContext) -> (Kind, String, String?, TLSCause?) {
        let text = SystemError.text(of: context.errorNumber)
        switch context.errorNumber {
        case ECONNREFUSED: return (.refused, "connection refused", nil, nil)
        case ETIMEDOUT: return (.timedOut, "no answer in time", nil, nil)
        // No number at all: the stream ended inside a packet.
        case ECONNRESET, EPIPE, 0: return lostConnection(context)
        case EPROTO where context.usesTLS:
            // On an accepted connection OpenSSL only means that the stream broke off.
            if context.isConnected { return (.closedByBroker, "the secured connection broke off", nil, nil) }
            return tlsFailure(context)
        case EMFILE, ENFILE, ENOMEM: return (.outOfMemory, text, nil, nil)
        default: return (.network, text, nil, nil)
        }
    }

    private static func tlsFailure(_ context: FailureContext) -> (Kind, String, String?, TLSCause?) {
        let failure = TLSFailure(context)
        return (.tls, failure.detail, failure.advice, failure.cause)
    }
}

extension MosquittoError {
    /// What a CONNACK refusal means; `code` is of MQTT 5 from 128 on, else of MQTT 3.1.1.
    static func refusal(code: Int32, address: String, options: ConnectionOptions) -> MosquittoError {
        let kind: Kind
        let detail: String
        switch code {
        case 1, 132:
            let version = options.protocolVersion == .v5 ? "MQTT 5" : "MQTT 3.1.1"
            (kind, detail) = (.protocolVersion, "the broker does not speak \(version)")
        case 2, 133: (kind, detail) = (.identifierRejected, "the broker does not accept the client identifier")
        case 3, 136, 137, 159: (kind, detail) = (.unavailable, "the broker does not take clients now")
        case 4, 134: (kind, detail) = (.authentication, "the broker does not accept user name or password")
        case 5, 135, 138, 140: (kind, detail) = (.authentication, "the broker does not allow it")
        case 149: (kind, detail) = (.payloadTooLarge, "the broker allows only smaller packets")
        default: (kind, detail) = (.other, "the broker refused: \(LibraryCode.reasonText(of: code))")
        }
        return MosquittoError(operation: "connect to \(address)", kind: kind, code: code, detail: detail)
    }

    /// What a DISCONNECT sent by the broker means (MQTT 5).
    static func farewell(code: Int32, address: String) -> MosquittoError {
        let kind: Kind =
            switch code {
            case 0x8E: .sessionTakenOver
            case 0x8D: .keepAlive
            case 0x87: .authentication
            case 0x95: .payloadTooLarge
            case 0x81, 0x82: .protocolError
            default: .closedByBroker
            }
        return MosquittoError(
            operation: "stay connected to \(address)",
            kind: kind,
            code: code,
            detail: code == 0
                ? "the broker said goodbye" : "the broker ended the connection: \(LibraryCode.reasonText(of: code))"
        )
    }
}
