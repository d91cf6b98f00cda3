// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import MosquittoClient
import NearbyCore

/// Asks whoever is the bridge on this base topic how it is, over MQTT.
struct HealthQuestion {
    /// What came of it.
    enum Answer: Equatable {
        /// A bridge lives; its health as JSON.
        case alive([UInt8])
        /// None answers; why, as far as one can tell.
        case silent(String)
    }

    private struct Response: Decodable {
        var status: String
        var error: String?
        var transaction: String?
    }

    private struct BridgeState: Decodable { var state: String }

    let topics: TopicScheme
    /// What we know our answer by.
    let token: String
    /// How long a bridge has to answer, within the connection's own deadline.
    let patience: Duration

    /// Asks and waits; throws if the broker does not play along.
    func ask(over connection: BriefConnection) throws(MosquittoError) -> Answer {
        var answer: [UInt8]?
        var state: String?
        let others = connection.onMessage
        connection.onMessage = { message in
            others?(message)
            if message.topic == topics.bridgeState {
                state = (try? JSONDecoder().decode(BridgeState.self, from: Data(message.payload)))?.state ?? state
            } else if message.topic == topics.response("health"), isOurs(message.payload) {
                answer = message.payload
            }
        }
        defer { connection.onMessage = others }
        let filters = [topics.response("health"), topics.bridgeState]
        let granted = try connection.subscribe(filters)
        if let first = granted.first, first >= 128 {
            return .silent("the broker does not let this user read \(filters[0])")
        }
        let payload = Array("{\"transaction\":\"\(token)\"}".utf8)
        // A bridge that is away and comes back need not answer any more: a probe may ask for hours.
        let expiry = UInt32(max(1, patience.components.seconds))
        let reason = try connection.publish(payload, to: topics.request("health"), messageExpiry: expiry)
        if reason >= 128 { return .silent("the broker does not let this user write \(topics.request("health"))") }
        let deadline = connection.deadline
        // 16: nobody subscribes to it.
        let isUnheard = reason == 16
        let patience = isUnheard ? Duration.milliseconds(100) : patience
        connection.deadline = min(deadline, BriefConnection.now.advanced(by: patience))
        defer { connection.deadline = deadline }
        if try connection.wait(until: { answer != nil }), let answer { return .alive(data(of: answer)) }
        let word = state.map { "; \(topics.bridgeState) says \"\(PlainText.plain($0))\"" } ?? ""
        return .silent(
            (isUnheard ? "no bridge listens on \(topics.base)" : "no bridge answers on \(topics.base)") + word
        )
    }

    private func isOurs(_ payload: [UInt8]) -> Bool {
        let response = try? JSONDecoder().decode(Response.self, from: Data(payload))
        return response?.transaction == token && response?.status == "ok"
    }

    /// The value of `data`, byte for byte.
    private func data(of payload: [UInt8]) -> [UInt8] {
        let bytes = payload.span
        var offset = 0
        do throws(ReportError) {
            try JSONScanner.expect(UInt8(ascii: "{"), in: bytes, at: &offset)
            var isFirst = true
            while let key = try JSONScanner.nextKey(in: bytes, at: &offset, isFirst: &isFirst) {
                JSONScanner.skipWhitespace(in: bytes, at: &offset)
                let start = offset
                try JSONScanner.skipValue(in: bytes, at: &offset)
                if JSONScanner.isText(of: key, "data", in: bytes) { return Array(payload[start..<offset]) }
            }
        } catch {
            return Array("{}".utf8)
        }
        return Array("{}".utf8)
    }
}
