// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// What Home Assistant's `mqtt_room` sensors listen to: on a topic for each room, how far somebody is from it.
///
/// The room is the accessory, the device a peer that has a name. A sensor believes a room for `timeout` seconds, so the
/// states that this follows have to come more often.
enum MQTTRoom {
    /// States come so often at least while somebody reports, for sensors whose timeout is the usual 10 s.
    static let heartbeat = Duration.seconds(4)

    /// The message of a peer's state below a topic; `nil` for an accessory's own state, or if there is no distance.
    static func message(_ state: StreamState, below topic: String, _ json: inout JSONWriter) -> OutgoingMessage? {
        guard let peer = state.peer, let distance = state.distance else { return nil }
        json.removeAll()
        json.beginObject()
        json.pair("distance", distance)
        json.pair("id", peer)
        json.pair("name", peer)
        json.endObject()
        return OutgoingMessage(
            topic: "\(topic)/\(state.accessory)",
            payload: json.bytes,
            qualityOfService: 0,
            isRetained: false
        )
    }
}
