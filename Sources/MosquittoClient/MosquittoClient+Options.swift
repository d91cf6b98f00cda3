// nearby-bridge · SPDX-License-Identifier: Apache-2.0

internal import CMosquitto
internal import Glibc
internal import LinuxSystem

extension MosquittoClient {
    /// Throws for options that libmosquitto would reject without saying why, or silently read otherwise.
    static func validate(_ options: ConnectionOptions) throws(MosquittoError) {
        func require(_ condition: Bool, _ detail: String) throws(MosquittoError) {
            guard !condition else { return }
            throw MosquittoError(
                operation: "connect to \(options.host):\(options.port)",
                kind: .configuration,
                code: LibraryCode.invalidArgument,
                detail: detail
            )
        }
        try require(!options.host.isEmpty && !options.host.utf8.contains(0), "there is no host name")
        try require((1...65_535).contains(options.port), "the port must be between 1 and 65535")
        try require(
            TopicFilter.isProperText(options.clientIdentifier),
            "the client identifier is empty or not proper text"
        )
        try require(
            (5...65_535).contains(options.keepAlive.components.seconds),
            "the keep-alive must be between 5 s and 18 h"
        )
        try require(options.sessionExpiry >= .zero, "the session expiry must not be negative")
        try require(
            options.receiveMaximum.map { (1...65_535).contains($0) } ?? true,
            "the receive maximum must be between 1 and 65535"
        )
        try require(options.password == nil || options.username != nil, "a password needs a user name")
        try require(
            ![options.username, options.password].contains { $0?.utf8.contains(0) ?? false },
            "user name and password must not contain a zero byte"
        )
        if let will = options.will {
            try require(TopicFilter.isValidTopic(will.topic), "the will's topic \(will.topic) is not valid")
        }
        if let tls = options.tls { try validate(tls, require) }
    }

    private static func validate(
        _ tls: TLSOptions,
        _ require: (Bool, String) throws(MosquittoError) -> Void
    ) throws(MosquittoError) {
        try require(
            (tls.certificateFile == nil) == (tls.keyFile == nil),
            "a client certificate and its key go together"
        )
        let files = [tls.authorityFile, tls.authorityDirectory, tls.certificateFile, tls.keyFile]
        for file in files.compactMap({ $0 }) {
            let isReadable = unsafe access(file, R_OK) == 0
            try require(isReadable, "cannot read \(file): \(SystemError.text(of: errno))")
        }
    }

    /// Hands the options to the library.
    func configure() throws(MosquittoError) {
        let what = "prepare a connection to \(address)"
        // In threaded mode nothing is written before loop_write; everything else here rests on that.
        try check(unsafe mosquitto_threaded_set(handle, true), what)
        let version = options.protocolVersion == .v5 ? MQTT_PROTOCOL_V5 : MQTT_PROTOCOL_V311
        try check(unsafe mosquitto_int_option(handle, MOSQ_OPT_PROTOCOL_VERSION, version), what)
        try check(unsafe mosquitto_int_option(handle, MOSQ_OPT_TCP_NODELAY, options.tcpNoDelay ? 1 : 0), what)
        if let maximum = options.receiveMaximum {
            try check(unsafe mosquitto_int_option(handle, MOSQ_OPT_RECEIVE_MAXIMUM, Int32(maximum)), what)
        }
        if let username = options.username {
            try check(unsafe mosquitto_username_pw_set(handle, username, options.password), what)
        }
        if let will = options.will {
            let code = unsafe mosquitto_will_set_v5(
                handle,
                will.topic,
                Int32(clamping: will.payload.count),
                will.payload,
                will.qualityOfService.rawValue,
                will.isRetained,
                nil
            )
            try check(code, "set the will")
        }
        if let tls = options.tls { try configure(tls) }
    }

    private func configure(_ tls: TLSOptions) throws(MosquittoError) {
        let what = "prepare TLS for \(address)"
        var directory = tls.authorityDirectory
        if tls.authorityFile == nil, directory == nil {
            try check(unsafe mosquitto_int_option(handle, MOSQ_OPT_TLS_USE_OS_CERTS, 1), what)
            // The library insists on a file or a directory even so.
            directory = unsafe nb_system_authorities().map { unsafe String(cString: $0) } ?? "/etc/ssl/certs"
        }
        let code = unsafe mosquitto_tls_set(
            handle,
            tls.authorityFile,
            directory,
            tls.certificateFile,
            tls.keyFile,
            Self.passphraseCallback
        )
        try check(code, what)
        // 1 and 0 are OpenSSL's SSL_VERIFY_PEER and SSL_VERIFY_NONE.
        try check(unsafe mosquitto_tls_opts_set(handle, tls.isInsecure ? 0 : 1, "tlsv1.2", nil), what)
        // The library knows only the host it connects to; another name is checked by us after the handshake.
        let skipsHostCheck = tls.isInsecure || tls.serverName != nil
        try check(unsafe mosquitto_tls_insecure_set(handle, skipsHostCheck), what)
    }

    /// Whole seconds for MQTT; `nil` for none.
    static func expirySeconds(_ expiry: Duration) -> UInt32? {
        let seconds = expiry.components.seconds
        return seconds <= 0 ? nil : UInt32(clamping: seconds)
    }
}
