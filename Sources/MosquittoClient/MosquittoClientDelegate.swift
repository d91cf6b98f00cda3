// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Who hears from a connection.
///
/// Called only inside `read`, `write` and `maintain`, on the thread that called them. `publish`, `subscribe` and
/// `disconnect` may be called from here; what they queue leaves with the next `write`.
public protocol MosquittoClientDelegate: AnyObject {
    /// A message came in; its bytes are valid during the call only.
    func mosquittoClient(
        _ client: MosquittoClient,
        didReceiveMessageOn topic: borrowing Span<UInt8>,
        payload: borrowing Span<UInt8>,
        attributes: MessageAttributes
    )

    /// Something else happened.
    func mosquittoClient(_ client: MosquittoClient, didObserve event: MosquittoEvent)
}
