// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// A request on `bridge/request/<command>`, as far as every command shares it.
struct Request: Equatable, Sendable {
    /// The command: what follows `request/` in the topic.
    var command: String
    /// Given back in the response, as it came.
    var transaction: String?
    /// Where MQTT 5 wants the answer, instead of `bridge/response/<command>`.
    var responseTopic: String?
    /// Given back as MQTT 5 wants it.
    var correlationData: [UInt8]?

    private struct Body: Decodable {
        var transaction: String?
    }

    /// Reads a request; a payload that is no JSON object asks without a transaction.
    init(command: String, payload: [UInt8], responseTopic: String?, correlationData: [UInt8]?) {
        self.command = command
        self.responseTopic = responseTopic
        self.correlationData = correlationData
        transaction = payload.isEmpty ? nil : (try? JSONDecoder().decode(Body.self, from: Data(payload)))?.transaction
    }
}

/// What became of a request.
enum Response: Equatable, Sendable {
    /// Done; the data is a JSON object.
    case ok([UInt8])
    /// Not done, and why.
    case error(String)

    /// Writes the payload of `bridge/response/<command>`.
    func payload(transaction: String?) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        switch self {
        case .ok(let data):
            json.key("data")
            json.raw(data)
            json.pair("status", "ok")
        case .error(let text):
            json.pair("error", text)
            json.pair("status", "error")
        }
        json.optional("transaction", transaction)
        json.endObject()
        return json.bytes
    }
}
