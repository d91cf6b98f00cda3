// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import MosquittoClient
import NearbyCore

/// Asks whoever is the bridge on this base topic for something, over MQTT.
struct BridgeQuestion {
    /// What came of it.
    enum Answer: Equatable {
        /// It was done; the answer's `data` as JSON.
        case done([UInt8])
        /// It was not, and why.
        case refused(String)
        /// No bridge answers; why, as far as one can tell.
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
    ///
    /// `fields` writes what the request has besides its transaction: keys that sort before that.
    func ask(
        _ command: String,
        over connection: BriefConnection,
        _ fields: (inout JSONWriter) -> Void = { _ in }
    ) throws(MosquittoError) -> Answer {
        var answer: Answer?
        var state: String?
        let others = connection.onMessage
        connection.onMessage = { message in
            others?(message)
            if message.topic == topics.bridgeState {
                state = (try? JSONDecoder().decode(BridgeState.self, from: Data(message.payload)))?.state ?? state
            } else if message.topic == topics.response(command) {
                answer = answer ?? self.answer(message.payload)
            }
        }
        defer { connection.onMessage = others }
        let filters = [topics.response(command), topics.bridgeState]
        let granted = try connection.subscribe(filters)
        if let first = granted.first, first >= 128 {
            return .silent("the broker does not let this user read \(filters[0])")
        }
        var json = JSONWriter()
        json.beginObject()
        fields(&json)
        json.pair("transaction", token)
        json.endObject()
        // A bridge that is away and comes back need not answer any more: a probe may ask for hours.
        let expiry = UInt32(max(1, patience.components.seconds))
        let reason = try connection.publish(json.bytes, to: topics.request(command), messageExpiry: expiry)
        if reason >= 128 { return .silent("the broker does not let this user write \(topics.request(command))") }
        let deadline = connection.deadline
        // 16: nobody subscribes to it.
        let isUnheard = reason == 16
        let patience = isUnheard ? Duration.milliseconds(100) : patience
        connection.deadline = min(deadline, BriefConnection.now.advanced(by: patience))
        defer { connection.deadline = deadline }
        if try connection.wait(until: { answer != nil }), let answer { return answer }
        let word = state.map { "; \(topics.bridgeState) says \"\(PlainText.plain($0))\"" } ?? ""
        return .silent(
            (isUnheard ? "no bridge listens on \(topics.base)" : "no bridge answers on \(topics.base)") + word
        )
    }

    /// What a response says, `nil` if it is somebody else's.
    private func answer(_ payload: [UInt8]) -> Answer? {
        let response = try? JSONDecoder().decode(Response.self, from: Data(payload))
        guard let response, response.transaction == token else { return nil }
        return response.status == "ok"
            ? .done(Self.data(of: payload))
            : .refused(PlainText.plain(response.error ?? "the bridge does not say why", longest: 400))
    }

    /// The value of `data`, byte for byte.
    private static func data(of payload: [UInt8]) -> [UInt8] {
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
