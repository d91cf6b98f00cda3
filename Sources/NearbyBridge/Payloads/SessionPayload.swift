// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// The payload of `…/session` (CONTRACT section 4.3).
enum SessionPayload {
    /// Writes a session.
    static func write(_ state: SessionState, into json: inout JSONWriter) {
        json.beginObject()
        json.pair("kind", "external")
        json.pair("state", state.word)
        json.pair("v", 1)
        json.endObject()
    }
}
