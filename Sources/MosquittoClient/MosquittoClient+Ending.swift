// nearby-bridge · SPDX-License-Identifier: Apache-2.0

internal import CMosquitto

extension MosquittoClient {
    /// Looks at the result of a library call and, if the connection is over, says so once and throws.
    func conclude(code: Int32, errorNumber: Int32) throws(MosquittoError) {
        if code == LibraryCode.success, unsafe mosquitto_socket(handle) >= 0 { return }
        if isDisconnecting { return finish() }
        if let refusal { return try finish(refusal) }
        if let farewellCode { return try finish(.farewell(code: farewellCode, address: address)) }
        let operation = hasBeenConnected ? "stay connected to \(address)" : "connect to \(address)"
        let known = code == LibraryCode.success ? LibraryCode.connectionLost : code
        try finish(failure(operation, code: known, errorNumber: errorNumber))
    }

    /// The end that was asked for.
    func finish() {
        guard ending == nil else { return }
        ending = .asked
        isConnected = false
        activeDelegate?.mosquittoClient(self, didObserve: .disconnected(nil))
    }

    /// The end that was not asked for: tells the delegate and throws.
    func finish(_ error: MosquittoError) throws(MosquittoError) {
        if ending == nil {
            ending = .failed(error)
            isConnected = false
            let event: MosquittoEvent = refusal == nil ? .disconnected(error) : .refused(error)
            activeDelegate?.mosquittoClient(self, didObserve: event)
        }
        throw error
    }

    /// Makes the error for a failed library call out of everything that is known.
    func failure(_ operation: String, code: Int32, errorNumber: Int32) -> MosquittoError {
        MosquittoError(
            FailureContext(
                operation: operation,
                code: code,
                errorNumber: errorNumber,
                isConnected: hasBeenConnected,
                usesTLS: options.tls != nil,
                isSecured: isSecured,
                host: options.host,
                log: log,
                verificationFailure: verificationFailure
            )
        )
    }

    /// The error for doing something that needs a connection.
    func notConnected(_ operation: String) -> MosquittoError {
        MosquittoError(
            operation: operation,
            kind: .notConnected,
            code: LibraryCode.notConnected,
            detail: "there is no connection"
        )
    }

    /// Throws for a result that leaves the connection as it is.
    func check(_ code: Int32, _ operation: @autoclosure () -> String) throws(MosquittoError) {
        guard code != LibraryCode.success else { return }
        throw failure(operation(), code: code, errorNumber: 0)
    }
}
