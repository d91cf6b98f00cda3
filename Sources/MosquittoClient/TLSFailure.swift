// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What libmosquitto and OpenSSL said about a failed handshake, understood.
struct TLSFailure {
    var cause: TLSCause
    var detail: String
    var advice: String?

    init(_ context: FailureContext) {
        let log = context.log.joined(separator: "\n")
        if log.contains("host name verification failed") {
            self.init(
                .name,
                "the broker's certificate is not for \(context.host)",
                "Connect by a name it bears, or say which server name to expect."
            )
        } else if context.verificationFailure != nil || log.contains("certificate verify failed") {
            self.init(refusing: context.verificationFailure)
        } else if log.contains("wrong version number") || log.contains("packet length too long") {
            self.init(
                .handshake,
                "that port does not speak TLS",
                "Use the broker's TLS port, or switch TLS off."
            )
        } else if let alert = context.log.first(where: { $0.contains("alert") }) {
            self.init(alert: Self.lastPart(alert))
        } else if let complaint = context.log.first(where: { $0.hasPrefix("Error: ") }) {
            let reason = context.log.last { $0.hasPrefix("OpenSSL Error") }.map { " (\(Self.lastPart($0)))" } ?? ""
            let text = complaint.dropFirst("Error: ".count).prefix { $0 != "\n" }
            let fact = text.hasSuffix(".") ? text.dropLast() : text
            self.init(
                .ownFiles,
                fact.prefix(1).lowercased() + fact.dropFirst() + reason,
                "Are file and passphrase right?"
            )
        } else if context.isSecured {
            // With TLS 1.3 a broker looks at our certificate after our side of the handshake.
            self.init(
                .clientCertificate,
                "the broker broke off after the TLS handshake",
                "Does the broker ask for a client certificate, or for another one?"
            )
        } else if log.contains("unexpected eof") || context.log.isEmpty {
            self.init(
                .handshake,
                "the broker broke off the TLS handshake",
                "Does that port speak TLS, and does the broker ask for a client certificate?"
            )
        } else {
            self.init(.handshake, context.log.last.map(Self.lastPart) ?? "the TLS handshake failed", nil)
        }
    }

    private init(_ cause: TLSCause, _ detail: String, _ advice: String?) {
        self.cause = cause
        self.detail = detail
        self.advice = advice
    }

    /// We do not accept the broker's certificate, for a reason in OpenSSL's words.
    private init(refusing reason: String?) {
        let isOutOfDate = reason.map { $0.contains("expired") || $0.contains("not yet valid") } ?? false
        self.init(
            isOutOfDate ? .expiry : .authority,
            "the broker's certificate is not accepted\(reason.map { ": \($0)" } ?? "")",
            isOutOfDate
                ? "Renew it, or set this machine's clock right."
                : "Check that the authority to trust is the one that signed it."
        )
    }

    /// The broker ended the handshake with an alert, in OpenSSL's words such as `tlsv13 alert certificate required`.
    private init(alert: String) {
        if alert.contains("certificate required") {
            self.init(
                .clientCertificate,
                "the broker asks for a client certificate: \(alert)",
                "Give it a certificate and its key."
            )
        } else if alert.contains("certificate") || alert.contains("unknown ca") {
            self.init(
                .clientCertificate,
                "the broker does not accept our client certificate: \(alert)",
                "Check its dates, and that the broker trusts the authority that signed it."
            )
        } else {
            self.init(
                .handshake,
                "the broker rejected the TLS handshake: \(alert)",
                "Does the broker ask for a client certificate, or for another one?"
            )
        }
    }

    /// The human part of `OpenSSL Error[0]: error:0A000418:SSL routines::tlsv1 alert unknown ca`.
    private static func lastPart(_ line: String) -> String {
        line.split(separator: ":").last.map(String.init) ?? line
    }
}
