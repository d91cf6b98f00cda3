// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// How hard MQTT tries to deliver a message.
///
/// Level 2 is left out: MQTT 5 with it breaks under load on Debian's broker.
public enum QualityOfService: Int32, Sendable {
    /// Level 0: once or not at all.
    case atMostOnce = 0
    /// Level 1: once or more often.
    case atLeastOnce = 1
}
