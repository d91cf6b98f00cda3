// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// A request on `bridge/request/<command>`, as far as every command shares it.
struct Request: Equatable, Sendable {
    /// The command: what follows `request/` in the topic.
    var command: String
    /// What a client knows its answer by: any plain JSON value.
    enum Transaction: Equatable, Sendable {
        case text(String)
        case integer(Int64)
        case number(Double)
        case boolean(Bool)
    }

    /// Given back in the response, as it came.
    var transaction: Transaction?
    /// Where MQTT 5 wants the answer, instead of `bridge/response/<command>`.
    var responseTopic: String?
    /// Given back as MQTT 5 wants it.
    var correlationData: [UInt8]?

    /// Which accessory it is about.
    var accessory: String?
    /// Which of its peers.
    var peer: String?
    /// The Nearby Interaction error, for `accessory/invalidate`.
    var code: Int?
    /// Why, for `accessory/stop`.
    var reason: String?
    /// Which zone it is about, for `zone/options` and `zone/explain`.
    var zone: String?
    /// What to set, for `accessory/options` and `zone/options`.
    var options: JSONValue?
    /// The new name, for `accessory/rename`.
    var name: JSONValue?
    /// The level, for `log_level`.
    var level: JSONValue?
    /// Whose level, for `log_level`.
    var subsystem: String?

    /// Whether what is removed is kept away, for `accessory/remove`.
    var isBlocked: Bool?
    /// Seconds, for `permit_join` and `accessory/approve`.
    var time: Int?
    /// What to bring back, for `snapshot`.
    var restore: JSONValue?

    /// A field whose value is of the wrong type, and what it should be.
    var fault: String?

    private struct Body: Decodable {
        var transaction: Transaction?
        var accessory: String?
        var peer: String?
        var code: Int?
        var reason: String?
        var zone: String?
        var options: JSONValue?
        var name: JSONValue?
        var level: JSONValue?
        var subsystem: String?
        var block: Bool?
        var time: Int?
        var restore: JSONValue?
        var fault: String?
        /// What the request has, whether anybody knows it or not.
        var names: [String] = []

        /// The name of any field.
        private struct Name: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        enum CodingKeys: String, CodingKey {
            case block, time, restore
            case transaction, accessory, peer, code, reason, zone, options, name, level, subsystem
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            names = try decoder.container(keyedBy: Name.self).allKeys.map(\.stringValue)
            transaction = try? container.decodeIfPresent(Transaction.self, forKey: .transaction)
            accessory = read(.accessory, from: container, "text")
            peer = read(.peer, from: container, "text")
            block = read(.block, from: container, "true or false")
            time = read(.time, from: container, "a whole number of seconds")
            code = read(.code, from: container, "a whole number")
            reason = read(.reason, from: container, "text")
            zone = read(.zone, from: container, "text")
            subsystem = read(.subsystem, from: container, "text")
            // `null` says something here, so it is not the same as nothing.
            restore = readAnything(.restore, from: container)
            options = readAnything(.options, from: container)
            name = readAnything(.name, from: container)
            level = readAnything(.level, from: container)
        }

        private mutating func readAnything(
            _ key: CodingKeys,
            from container: KeyedDecodingContainer<CodingKeys>
        ) -> JSONValue? {
            guard container.contains(key) else { return nil }
            do {
                return try container.decode(JSONValue.self, forKey: key)
            } catch {
                fault = fault ?? "\(key.rawValue): a value in it cannot be read, such as a number beyond all bounds"
                return nil
            }
        }

        /// One wrong field must not hide the others: each is read for itself.
        private mutating func read<Value: Decodable>(
            _ key: CodingKeys,
            from container: KeyedDecodingContainer<CodingKeys>,
            _ expectation: String
        ) -> Value? {
            do {
                return try container.decodeIfPresent(Value.self, forKey: key)
            } catch {
                fault = fault ?? "\(key.rawValue): expected \(expectation)"
                return nil
            }
        }
    }

    /// Reads a request; a payload that is no JSON object asks without a transaction.
    init(command: String, payload: [UInt8], responseTopic: String?, correlationData: [UInt8]?) {
        self.command = command
        self.responseTopic = responseTopic
        self.correlationData = correlationData
        let body = payload.isEmpty ? nil : try? JSONDecoder().decode(Body.self, from: Data(payload))
        transaction = body?.transaction
        accessory = body?.accessory
        peer = body?.peer
        code = body?.code
        isBlocked = body?.block
        time = body?.time
        restore = body?.restore
        reason = body?.reason
        zone = body?.zone
        options = body?.options
        name = body?.name
        level = body?.level
        subsystem = body?.subsystem
        fault = body?.fault ?? body.flatMap { Self.slip(in: $0.names, of: command) }
    }
}

extension Request.Transaction: Decodable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else {
            self = .number(try container.decode(Double.self))
        }
    }

    fileprivate func write(into json: inout JSONWriter) {
        switch self {
        case .text(let text): json.string(text)
        case .integer(let value): json.integer(value)
        case .number(let value): json.raw(Array(String(value).utf8))
        case .boolean(let value): json.boolean(value)
        }
    }
}

/// What became of a request.
enum Response: Equatable, Sendable {
    /// Done; the data is a JSON object.
    case ok([UInt8])
    /// Not done, and why.
    case error(String)

    /// Writes the payload of `bridge/response/<command>`.
    func payload(transaction: Request.Transaction?) -> [UInt8] {
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
        if let transaction {
            json.key("transaction")
            transaction.write(into: &json)
        }
        json.endObject()
        return json.bytes
    }
}
