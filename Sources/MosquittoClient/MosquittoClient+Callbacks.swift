// nearby-bridge · SPDX-License-Identifier: Apache-2.0

internal import CMosquitto
internal import Glibc

extension MosquittoClient {
    /// Registers the callbacks; those of MQTT 5 serve 3.1.1 as well.
    func installCallbacks() {
        unsafe mosquitto_connect_v5_callback_set(handle, onConnect)
        unsafe mosquitto_disconnect_v5_callback_set(handle, onDisconnect)
        unsafe mosquitto_message_v5_callback_set(handle, onMessage)
        unsafe mosquitto_publish_v5_callback_set(handle, onPublish)
        unsafe mosquitto_subscribe_v5_callback_set(handle, onSubscribe)
        unsafe mosquitto_unsubscribe_v5_callback_set(handle, onUnsubscribe)
        unsafe mosquitto_log_callback_set(handle, onLog)
    }

    fileprivate func didConnect(_ reason: Int32, _ flags: Int32, _ properties: OpaquePointer?) {
        guard reason == 0 else {
            refusal = .refusal(code: reason, address: address, options: options)
            return
        }
        isConnected = true
        hasBeenConnected = true
        log = []
        // From here on every packet would be formatted for the log; nobody reads that.
        unsafe mosquitto_log_callback_set(handle, nil)
        var acknowledgement = ConnectAcknowledgement(isSessionPresent: flags & 1 != 0)
        if let properties = unsafe properties {
            acknowledgement.receiveMaximum = unsafe properties.integer16(MQTT_PROP_RECEIVE_MAXIMUM)
            acknowledgement.maximumPacketSize = unsafe properties.integer32(MQTT_PROP_MAXIMUM_PACKET_SIZE)
            acknowledgement.serverKeepAlive = unsafe properties.integer16(MQTT_PROP_SERVER_KEEP_ALIVE)
            acknowledgement.sessionExpiry = unsafe properties.integer32(MQTT_PROP_SESSION_EXPIRY_INTERVAL)
            acknowledgement.isRetainAvailable = unsafe properties.byte(MQTT_PROP_RETAIN_AVAILABLE) != 0
        }
        activeDelegate?.mosquittoClient(self, didObserve: .connected(acknowledgement))
    }

    fileprivate func didDisconnect(_ code: Int32) {
        // Zero and the reason codes from 128 on are the broker's words; between them are the library's own results.
        if farewellCode == nil, code == 0 || code >= 128 { farewellCode = code }
    }

    fileprivate func didReceive(_ message: UnsafePointer<mosquitto_message>, _ properties: OpaquePointer?) {
        messageCount += 1
        guard let activeDelegate, let topic = unsafe message.pointee.topic else { return }
        let topicBytes = unsafe Span<UInt8>(
            _unsafeStart: UnsafeRawPointer(topic).assumingMemoryBound(to: UInt8.self),
            count: strlen(topic)
        )
        let payload = unsafe UnsafeBufferPointer(
            start: UnsafePointer(message.pointee.payload?.assumingMemoryBound(to: UInt8.self)),
            count: Int(message.pointee.payloadlen)
        )
        let payloadBytes = unsafe Span<UInt8>(_unsafeElements: payload)
        unsafe currentProperties = properties
        defer { unsafe currentProperties = nil }
        activeDelegate.mosquittoClient(
            self,
            didReceiveMessageOn: topicBytes,
            payload: payloadBytes,
            attributes: MessageAttributes(
                qualityOfService: unsafe message.pointee.qos,
                isRetained: unsafe message.pointee.retain,
                hasProperties: unsafe properties != nil
            )
        )
    }

    fileprivate func didSubscribe(_ messageID: Int32, _ count: Int32, _ granted: UnsafePointer<Int32>?) {
        let codes = unsafe UnsafeBufferPointer(start: granted, count: Int(count))
        let granted = unsafe codes.map { UInt8(truncatingIfNeeded: $0) }
        activeDelegate?.mosquittoClient(self, didObserve: .subscribed(messageID: messageID, granted: granted))
    }

    fileprivate func didObserve(_ event: MosquittoEvent) {
        activeDelegate?.mosquittoClient(self, didObserve: event)
    }

    fileprivate func didLog(_ level: Int32, _ text: UnsafePointer<CChar>?) {
        guard level & (MOSQ_LOG_ERR | MOSQ_LOG_WARNING) != 0, let text = unsafe text else { return }
        log.append(unsafe String(cString: text))
        // Asked now: the library frees what knows the reason before it returns.
        if verificationFailure == nil, let reason = unsafe nb_verification_failure(handle) {
            verificationFailure = unsafe String(cString: reason)
        }
        // OpenSSL may have much to say about one failure; the last lines are the nearest to it.
        if log.count > 8 { log.removeFirst() }
    }

    fileprivate func copyPassphrase(to buffer: UnsafeMutablePointer<CChar>, size: Int32) -> Int32 {
        guard let passphrase = options.tls?.keyPassphrase else { return 0 }
        let bytes = Array(passphrase.utf8)
        guard bytes.count <= Int(size) else { return 0 }
        unsafe UnsafeMutableRawBufferPointer(start: buffer, count: Int(size)).copyBytes(from: bytes)
        return Int32(bytes.count)
    }

    /// Gives OpenSSL our passphrase; without one it would ask on the terminal.
    static var passphraseCallback:
        @convention(c) (
            UnsafeMutablePointer<CChar>?, Int32, Int32, UnsafeMutableRawPointer?
        ) -> Int32
    { unsafe onPassphrase }

    /// The client behind a callback's context; every callback counts and leaves a clean `errno`.
    fileprivate static func from(_ context: UnsafeMutableRawPointer?, _ body: (MosquittoClient) -> Void) {
        guard let context = unsafe context else { return }
        let client = unsafe Unmanaged<MosquittoClient>.fromOpaque(context).takeUnretainedValue()
        client.callbackCount &+= 1
        body(client)
        nb_clear_errno()
    }
}

private func onConnect(
    _: OpaquePointer?,
    context: UnsafeMutableRawPointer?,
    reason: Int32,
    flags: Int32,
    properties: OpaquePointer?
) {
    unsafe MosquittoClient.from(context) { unsafe $0.didConnect(reason, flags, properties) }
}

private func onDisconnect(
    _: OpaquePointer?,
    context: UnsafeMutableRawPointer?,
    code: Int32,
    properties: OpaquePointer?
) {
    unsafe MosquittoClient.from(context) { $0.didDisconnect(code) }
}

private func onMessage(
    _: OpaquePointer?,
    context: UnsafeMutableRawPointer?,
    message: UnsafePointer<mosquitto_message>?,
    properties: OpaquePointer?
) {
    if let message = unsafe message {
        unsafe MosquittoClient.from(context) { unsafe $0.didReceive(message, properties) }
    }
}

private func onPublish(
    _: OpaquePointer?,
    context: UnsafeMutableRawPointer?,
    messageID: Int32,
    reason: Int32,
    properties: OpaquePointer?
) {
    unsafe MosquittoClient.from(context) { $0.didObserve(.acknowledged(messageID: messageID, reasonCode: reason)) }
}

private func onSubscribe(
    _: OpaquePointer?,
    context: UnsafeMutableRawPointer?,
    messageID: Int32,
    count: Int32,
    granted: UnsafePointer<Int32>?,
    properties: OpaquePointer?
) {
    unsafe MosquittoClient.from(context) { unsafe $0.didSubscribe(messageID, count, granted) }
}

private func onUnsubscribe(
    _: OpaquePointer?,
    context: UnsafeMutableRawPointer?,
    messageID: Int32,
    properties: OpaquePointer?
) {
    unsafe MosquittoClient.from(context) { $0.didObserve(.unsubscribed(messageID: messageID)) }
}

private func onLog(
    _: OpaquePointer?,
    context: UnsafeMutableRawPointer?,
    level: Int32,
    text: UnsafePointer<CChar>?
) {
    unsafe MosquittoClient.from(context) { unsafe $0.didLog(level, text) }
}

private func onPassphrase(
    buffer: UnsafeMutablePointer<CChar>?,
    size: Int32,
    _: Int32,
    library: UnsafeMutableRawPointer?
) -> Int32 {
    guard let buffer = unsafe buffer, let library = unsafe library,
        let context = unsafe mosquitto_userdata(OpaquePointer(library))
    else { return 0 }
    let client = unsafe Unmanaged<MosquittoClient>.fromOpaque(context).takeUnretainedValue()
    return unsafe client.copyPassphrase(to: buffer, size: size)
}
