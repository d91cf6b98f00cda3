// nearby-bridge · SPDX-License-Identifier: Apache-2.0

internal import CMosquitto
internal import Glibc

extension MosquittoClient {
    /// Which retained messages a new subscription brings; MQTT 5 only, 3.1.1 always sends all.
    public enum RetainHandling: Int32, Sendable {
        /// All that match.
        case always = 0x00
        /// All that match, if the subscription did not exist before.
        case ifNew = 0x10
        /// None.
        case never = 0x20
    }

    /// Queues a subscription to all `filters` and returns the message id that the `subscribed` event will bear.
    ///
    /// With `ignoresOwn` the broker leaves out what this client publishes (MQTT 5 only).
    /// Throws `notConnected` before the broker has accepted us, and `invalidTopic` for a malformed filter.
    @discardableResult
    public func subscribe(
        _ filters: [String],
        qualityOfService: QualityOfService,
        retainHandling: RetainHandling = .always,
        ignoresOwn: Bool = false
    ) throws(MosquittoError) -> Int32 {
        try requireFilters(filters, "subscribe to")
        let subscriptionOptions = retainHandling.rawValue | (ignoresOwn ? 0x04 : 0)
        var messageID: Int32 = 0
        let code = unsafe withCStrings(filters) { pointers in
            unsafe mosquitto_subscribe_multiple(
                handle,
                &messageID,
                Int32(filters.count),
                pointers,
                qualityOfService.rawValue,
                subscriptionOptions,
                nil
            )
        }
        try check(code, "subscribe at \(address)")
        return messageID
    }

    /// Queues the end of subscriptions and returns the message id that the `unsubscribed` event will bear.
    ///
    /// Throws `notConnected` before the broker has accepted us, and `invalidTopic` for a malformed filter.
    @discardableResult
    public func unsubscribe(_ filters: [String]) throws(MosquittoError) -> Int32 {
        try requireFilters(filters, "unsubscribe from")
        var messageID: Int32 = 0
        let code = unsafe withCStrings(filters) { pointers in
            unsafe mosquitto_unsubscribe_multiple(handle, &messageID, Int32(filters.count), pointers, nil)
        }
        try check(code, "unsubscribe at \(address)")
        return messageID
    }

    /// Queues a message and returns its id, which the `acknowledged` event will bear; `write` sends it.
    ///
    /// `messageExpiry` (seconds), `responseTopic`, `correlationData` and `userProperties` are MQTT 5 only and left out
    /// on 3.1.1.
    /// Throws `notConnected` before the broker has accepted us (nothing is queued then), `invalidTopic` for a topic
    /// with wildcards or improper text, and `payloadTooLarge`.
    @discardableResult
    public func publish(
        topic: String,
        payload: borrowing Span<UInt8>,
        qualityOfService: QualityOfService,
        isRetained: Bool = false,
        messageExpiry: UInt32? = nil,
        responseTopic: String? = nil,
        correlationData: [UInt8]? = nil,
        userProperties: [UserProperty] = []
    ) throws(MosquittoError) -> Int32 {
        guard isConnected, !isDisconnecting else { throw notConnected("publish to \(topic)") }
        guard let count = Int32(exactly: payload.count) else {
            throw failure("publish to \(topic)", code: LibraryCode.payloadSize, errorNumber: 0)
        }
        guard !topic.utf8.contains(0) else { throw invalidTopic("publish to \(topic)") }
        var properties = PropertyList()
        if options.protocolVersion == .v5 {
            if let messageExpiry {
                try check(properties.add(MQTT_PROP_MESSAGE_EXPIRY_INTERVAL, messageExpiry), "publish to \(topic)")
            }
            if let responseTopic {
                try check(properties.add(MQTT_PROP_RESPONSE_TOPIC, responseTopic), "publish to \(topic)")
            }
            if let correlationData {
                try check(properties.add(MQTT_PROP_CORRELATION_DATA, correlationData), "publish to \(topic)")
            }
            for property in userProperties { try check(properties.add(property), "publish to \(topic)") }
        }
        var messageID: Int32 = 0
        let code = unsafe payload.withUnsafeBufferPointer { bytes in
            unsafe mosquitto_publish_v5(
                handle,
                &messageID,
                topic,
                count,
                bytes.baseAddress,
                qualityOfService.rawValue,
                isRetained,
                properties.pointer
            )
        }
        if code == LibraryCode.invalidArgument || code == LibraryCode.malformedText {
            throw invalidTopic("publish to \(topic)")
        }
        try check(code, "publish to \(topic)")
        return messageID
    }

    /// The same for bytes in an array.
    @discardableResult
    public func publish(
        topic: String,
        payload: [UInt8],
        qualityOfService: QualityOfService,
        isRetained: Bool = false,
        messageExpiry: UInt32? = nil,
        responseTopic: String? = nil,
        correlationData: [UInt8]? = nil
    ) throws(MosquittoError) -> Int32 {
        try publish(
            topic: topic,
            payload: payload.span,
            qualityOfService: qualityOfService,
            isRetained: isRetained,
            messageExpiry: messageExpiry,
            responseTopic: responseTopic,
            correlationData: correlationData
        )
    }

    /// Where the message being delivered wants its answer; `nil` outside the delegate's call or if it does not say.
    public var currentResponseTopic: [UInt8]? {
        unsafe currentProperties.flatMap { unsafe $0.string(MQTT_PROP_RESPONSE_TOPIC) }
    }

    /// What the answer to the message being delivered must carry; `nil` outside the delegate's call or if nothing.
    public var currentCorrelationData: [UInt8]? {
        unsafe currentProperties.flatMap { unsafe $0.binary(MQTT_PROP_CORRELATION_DATA) }
    }

    private func requireFilters(_ filters: [String], _ verb: String) throws(MosquittoError) {
        guard isConnected, !isDisconnecting else {
            throw notConnected("\(verb) \(filters.joined(separator: ", "))")
        }
        for filter in filters where !TopicFilter.isValidFilter(filter) {
            throw invalidTopic("\(verb) \(filter)")
        }
        guard !filters.isEmpty else { throw invalidTopic("\(verb) nothing") }
    }

    private func invalidTopic(_ operation: String) -> MosquittoError {
        MosquittoError(
            operation: operation,
            kind: .invalidTopic,
            code: LibraryCode.invalidArgument,
            detail: "MQTT does not allow that topic"
        )
    }
}

/// Lends `strings` as a C array.
private func withCStrings<Result>(
    _ strings: [String],
    _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
    let pointers = unsafe strings.map { unsafe strdup($0) }
    defer { unsafe pointers.forEach { pointer in unsafe free(pointer) } }
    return unsafe body(pointers)
}
