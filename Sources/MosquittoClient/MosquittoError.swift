// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Why something on a connection did not work: what, where, and what to do about it.
public struct MosquittoError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The reasons that call for different reactions.
    public enum Kind: Sendable, Equatable {
        /// The host name has no address.
        case lookup
        /// Nobody listens on that port.
        case refused
        /// No answer to the attempt to connect.
        case timedOut
        /// The network failed otherwise.
        case network
        /// One side does not accept the other's certificate, or one of them does not speak TLS.
        case tls
        /// User name, password or permission.
        case authentication
        /// The broker does not speak this version of MQTT.
        case protocolVersion
        /// The broker does not accept the client identifier.
        case identifierRejected
        /// The broker refuses clients for now.
        case unavailable
        /// The broker fell silent.
        case keepAlive
        /// Larger than MQTT or the broker allows.
        case payloadTooLarge
        /// Not a topic to publish to, or not a filter to subscribe to.
        case invalidTopic
        /// There is no connection to do it on.
        case notConnected
        /// The broker ended the connection.
        case closedByBroker
        /// Another client took over our client identifier.
        case sessionTakenOver
        /// The other side does not speak MQTT, or speaks it wrongly.
        case protocolError
        /// The options cannot work: a file is missing, a value is out of range.
        case configuration
        /// No memory or no descriptor left.
        case outOfMemory
        /// Anything else.
        case other
    }

    /// What was tried, as a verb phrase: `connect to localhost:1883`.
    public let operation: String
    /// What it means.
    public let kind: Kind
    /// The number behind it: libmosquitto's result, or 128 and above the broker's MQTT 5 reason code.
    public let code: Int32
    /// What went wrong, in words, from the system, OpenSSL or the broker; holds no secret.
    public let detail: String
    /// What to do about it, as a sentence, if there is something to say.
    public let advice: String?

    /// What exactly TLS failed at, if it did and one can tell.
    public internal(set) var tlsCause: TLSCause?

    /// Makes an error; without `advice` the usual one for the kind is given.
    public init(operation: String, kind: Kind, code: Int32, detail: String, advice: String? = nil) {
        self.operation = operation
        self.kind = kind
        self.code = code
        self.detail = detail
        self.advice = advice ?? kind.usualAdvice
    }

    /// Whether trying again may help although nobody changes anything.
    ///
    /// False does not mean giving up: a service should keep trying, but slowly.
    public var isRetryable: Bool {
        switch kind {
        case .lookup, .refused, .timedOut, .network, .unavailable, .keepAlive, .notConnected, .closedByBroker,
            .sessionTakenOver, .protocolError, .outOfMemory:
            true
        case .tls, .authentication, .protocolVersion, .identifierRejected, .payloadTooLarge, .invalidTopic,
            .configuration, .other:
            false
        }
    }

    /// All of it as one line.
    ///
    /// Such as `cannot connect to localhost:1883: connection refused. Is the broker running and listening there?`.
    public var description: String {
        let fact = "cannot \(operation): \(detail)"
        return advice.map { "\(fact). \($0)" } ?? fact
    }
}

extension MosquittoError.Kind {
    fileprivate var usualAdvice: String? {
        switch self {
        case .lookup: "Is the host name right, and does name resolution work?"
        case .refused: "Is the broker running and listening there?"
        case .timedOut: "Is the address right, and does every firewall on the way let it through?"
        case .tls: "Check the certificates on both sides, and that the port speaks TLS."
        case .authentication: "Check user name and password, and what the broker allows this user."
        case .protocolVersion: "Choose the other MQTT version."
        case .identifierRejected: "Choose another client identifier."
        case .sessionTakenOver: "Does another client use the same client identifier?"
        case .network, .unavailable, .keepAlive, .payloadTooLarge, .invalidTopic, .notConnected, .closedByBroker,
            .protocolError, .configuration, .outOfMemory, .other:
            nil
        }
    }
}
