// nearby-bridge · SPDX-License-Identifier: Apache-2.0

internal import CMosquitto
internal import Glibc
internal import LinuxSystem

/// One connection to an MQTT broker, driven by the caller's own poll loop.
///
/// An instance lives for one connection: when it is over, drop it and make another. Nothing is sent before `write`,
/// so that whatever `read` delivered can be committed before its acknowledgement leaves.
///
/// Use: `connect()` on any thread, then from one thread poll `descriptor` (for writing too if `wantsWrite`), call
/// `read` and `write` when ready or hung up, and `maintain` at least once a second.
@safe public final class MosquittoClient: @unchecked Sendable {
    // Sendable by proof: it belongs to one thread at a time. A helper thread makes and connects it and hands it over
    // once, with a lock in between; nothing here is touched by two threads without that.

    /// How the connection came to its end.
    enum Ending {
        case asked
        case failed(MosquittoError)
    }

    /// What the connection was made with.
    public let options: ConnectionOptions

    /// Who hears of messages and events; not retained.
    public weak var delegate: (any MosquittoClientDelegate)?

    /// Whether the broker has accepted us and the connection is not known to be over.
    public internal(set) var isConnected = false

    let handle: OpaquePointer
    let address: String
    /// Held only while the library runs, so that a message costs no look at the weak reference.
    var activeDelegate: (any MosquittoClientDelegate)?
    var ending: Ending?
    var refusal: MosquittoError?
    var farewellCode: Int32?
    var log: [String] = []
    var verificationFailure: String?
    var callbackCount = 0
    var messageCount = 0
    var currentProperties: OpaquePointer?
    var isDisconnecting = false
    /// Whether the end was asked for before the broker had accepted us: there is no goodbye to send then.
    var isAbandoned = false
    var hasBeenConnected = false
    var needsNameCheck: Bool
    /// Whether the handshake of TLS is known to be finished.
    var isSecured = false
    /// Whether the socket was seen dead once, and what it still holds was read since.
    private var isHangingUp = false

    /// Prepares a connection; nothing is sent.
    ///
    /// Throws `configuration` if the options cannot work, for example because a certificate file cannot be read.
    public init(options: ConnectionOptions) throws(MosquittoError) {
        self.options = options
        address = "\(options.host):\(options.port)"
        try Self.validate(options)
        _ = Self.library
        guard let handle = unsafe mosquitto_new(options.clientIdentifier, options.cleanStart, nil) else {
            throw MosquittoError(
                operation: "prepare a connection to \(address)",
                kind: .outOfMemory,
                code: 0,
                detail: "out of memory"
            )
        }
        unsafe self.handle = handle
        needsNameCheck = options.tls.map { $0.serverName != nil && !$0.isInsecure } ?? false
        // Without an explicit context the library would pass itself to the callbacks.
        unsafe mosquitto_user_data_set(handle, Unmanaged.passUnretained(self).toOpaque())
        installCallbacks()
        try configure()
    }

    deinit { unsafe mosquitto_destroy(handle) }

    /// The library is set up once and never cleaned up: that is not safe beside other threads.
    private static let library: Void = {
        // The library writes to sockets without MSG_NOSIGNAL.
        Signals.ignoreBrokenPipe()
        _ = mosquitto_lib_init()
    }()

    /// Looks up the host, connects and starts TLS.
    ///
    /// Blocks for as long as name resolution and TCP take. Without any answer from the network that is about
    /// two minutes: call it on a thread one can leave behind. Success means that TCP stands; the broker's verdict
    /// comes as an event during `read`.
    public func connect() throws(MosquittoError) {
        var properties = PropertyList()
        if options.protocolVersion == .v5, let expiry = Self.expirySeconds(options.sessionExpiry) {
            // Without it the broker drops the session at the end of the connection, whatever cleanStart says.
            try check(properties.add(MQTT_PROP_SESSION_EXPIRY_INTERVAL, expiry), "connect to \(address)")
        }
        var errorNumber: Int32 = 0
        let code = unsafe nb_connect(
            handle,
            options.host,
            Int32(options.port),
            Int32(options.keepAlive.components.seconds),
            properties.pointer,
            &errorNumber
        )
        guard code == LibraryCode.success else {
            let error = failure("connect to \(address)", code: code, errorNumber: errorNumber)
            ending = .failed(error)
            throw error
        }
    }

    /// The socket to poll, negative when there is none.
    public var descriptor: Int32 { ending == nil ? unsafe mosquitto_socket(handle) : -1 }

    /// Whether something waits to be written, so that one should also poll for writing.
    public var wantsWrite: Bool { unsafe ending == nil && (isAbandoned || mosquitto_want_write(handle)) }

    /// Whether to poll for reading: no longer once `disconnect` was called, or poll would not sleep any more.
    public var wantsRead: Bool { ending == nil && !isDisconnecting }

    /// Reads and delivers what has come, until nothing is left, `maximumMessages` are delivered or `nanoseconds` over.
    ///
    /// Returns true if it stopped early: then call it again without waiting for the socket, since TLS may hold
    /// bytes that poll does not see. Throws when the connection is over.
    public func read(maximumMessages: Int = 256, nanoseconds: Int64 = 2_000_000) throws(MosquittoError) -> Bool {
        try requireOpen()
        // A message that comes after our goodbye would make the library close before the goodbye is written.
        if isDisconnecting { return false }
        activeDelegate = delegate
        defer { activeDelegate = nil }
        let deadline = MonotonicClock.now() &+ nanoseconds
        messageCount = 0
        var reads = 0
        while true {
            if try readOnce() { return false }
            if isDisconnecting { return false }
            if messageCount >= maximumMessages { return true }
            reads &+= 1
            // The clock costs a tenth of a read, so it is not asked each time.
            if reads & 7 == 0, MonotonicClock.now() >= deadline { return true }
        }
    }

    /// Writes what waits, acknowledgements included, as far as the socket takes it; throws when the connection is over.
    public func write() throws(MosquittoError) {
        try requireOpen()
        activeDelegate = delegate
        defer { activeDelegate = nil }
        if isAbandoned { return finish() }
        if options.tls != nil, !isConnected, !isDisconnecting {
            // The handshake also waits for room to write, and only reading moves it on.
            _ = try readOnce()
            noteHandshake()
            guard try isNameChecked() else { return }
        }
        var errorNumber: Int32 = 0
        let code = unsafe nb_loop_write(handle, &errorNumber)
        try conclude(code: code, errorNumber: errorNumber)
    }

    /// Pings the broker and notices its silence; call it at least once a second.
    ///
    /// Throws when the connection is over.
    public func maintain() throws(MosquittoError) {
        try requireOpen()
        activeDelegate = delegate
        defer { activeDelegate = nil }
        let code = unsafe mosquitto_loop_misc(handle)
        try conclude(code: code, errorNumber: 0)
    }

    /// Queues our goodbye; `write` sends it and then reports `disconnected(nil)`.
    ///
    /// Nothing is read any more. MQTT 5 reason 4 asks the broker to publish the will nevertheless.
    /// Without a connection it does nothing.
    public func disconnect(reasonCode: Int32 = 0) {
        guard descriptor >= 0, !isDisconnecting else { return }
        isDisconnecting = true
        isAbandoned = !isConnected
        guard isConnected else { return }
        _ = unsafe mosquitto_disconnect_v5(handle, reasonCode, nil)
    }

    /// Asks the kernel to acknowledge what it receives at once, until further notice (a few packets).
    ///
    /// To be renewed after something was sent: a broker with Nagle's algorithm waits for that acknowledgement.
    public func renewQuickAcknowledgement() {
        var on: Int32 = 1
        _ = unsafe setsockopt(
            descriptor,
            Int32(IPPROTO_TCP),
            TCP_QUICKACK,
            &on,
            socklen_t(MemoryLayout<Int32>.size)
        )
    }

    /// One library read; true when nothing is left.
    private func readOnce() throws(MosquittoError) -> Bool {
        let callbacksBefore = callbackCount
        var errorNumber: Int32 = 0
        let code = unsafe nb_loop_read(handle, &errorNumber)
        try conclude(code: code, errorNumber: errorNumber)
        if ending != nil { return true }
        if options.tls != nil, !isConnected { return try isHandshakeWaiting() }
        // The library may leave an EAGAIN of its own behind a packet; only a call without any is surely dry.
        return errorNumber == EAGAIN && callbackCount == callbacksBefore
    }

    /// Before the broker's verdict: whether the socket has nothing for us.
    ///
    /// Throws if it is dead: after a reset the library calls the handshake unfinished for ever, and poll never
    /// sleeps again.
    private func isHandshakeWaiting() throws(MosquittoError) -> Bool {
        var poller = Poller()
        let socket = poller.add(unsafe mosquitto_socket(handle))
        // A poll that fails for want of memory only leaves the question to the next call.
        _ = try? poller.wait(timeout: .zero)
        let readiness = poller.readiness(of: socket)
        noteHandshake()
        if !readiness.isDisjoint(with: [.hangUp, .error]) {
            // The broker's last word may have come just now: it says why.
            if !isHangingUp, readiness.contains(.readable) {
                isHangingUp = true
                return false
            }
            try finish(failure("connect to \(address)", code: LibraryCode.connectionLost, errorNumber: 0))
        }
        return !readiness.contains(.readable)
    }

    /// Remembers whether the handshake is finished: once the connection is over, the library does not know any more.
    private func noteHandshake() {
        // Any name will do; minus one means that there is no certificate to look at yet.
        if !isSecured { isSecured = unsafe nb_certificate_matches(handle, options.host) >= 0 }
    }

    /// Whether MQTT may flow; throws if the broker's certificate bears another name than the one asked for.
    private func isNameChecked() throws(MosquittoError) -> Bool {
        guard needsNameCheck, let name = options.tls?.serverName else { return true }
        switch unsafe nb_certificate_matches(handle, name) {
        case 1:
            needsNameCheck = false
            return true
        case -1:
            return false
        case let answer:
            let detail =
                answer == 0
                ? "the broker's certificate is not for \(name)" : "this system's OpenSSL cannot check server names"
            var error = MosquittoError(
                operation: "connect to \(address)",
                kind: .tls,
                code: LibraryCode.tls,
                detail: detail
            )
            error.tlsCause = .name
            try finish(error)
            return false
        }
    }

    private func requireOpen() throws(MosquittoError) {
        if activeDelegate != nil {
            throw MosquittoError(
                operation: "use the connection to \(address)",
                kind: .other,
                code: LibraryCode.invalidArgument,
                detail: "read, write and maintain must not be called from a delegate"
            )
        }
        switch ending {
        case .failed(let error): throw error
        case .asked: throw notConnected("use the connection to \(address)")
        case nil: if unsafe mosquitto_socket(handle) < 0 { throw notConnected("use the connection to \(address)") }
        }
    }
}
