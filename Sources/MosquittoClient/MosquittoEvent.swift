// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Something that happened on a connection, other than a message.
///
/// A connection ends with exactly one `refused` or `disconnected`; the call in which it ends throws the same error.
public enum MosquittoEvent: Equatable, Sendable {
    /// The broker accepted us: subscribe and publish from now on.
    case connected(ConnectAcknowledgement)
    /// The broker answered and turned us away.
    case refused(MosquittoError)
    /// The connection is over; `nil` if we asked for it.
    case disconnected(MosquittoError?)
    /// The broker answered a `subscribe`, one reason code for each filter.
    ///
    /// 0 and 1 are the granted level, 128 and above a refusal.
    case subscribed(messageID: Int32, granted: [UInt8])
    /// The broker answered an `unsubscribe`.
    case unsubscribed(messageID: Int32)
    /// A message has left our care: the broker acknowledged level 1, or level 0 went to the socket.
    ///
    /// Reason codes of 128 and above mean that the broker did not take it (MQTT 5 only).
    case acknowledged(messageID: Int32, reasonCode: Int32)
}
