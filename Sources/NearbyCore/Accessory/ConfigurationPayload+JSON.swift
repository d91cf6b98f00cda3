// nearby-bridge · SPDX-License-Identifier: Apache-2.0

extension ConfigurationPayload {
    /// Reads the object that begins at an offset of the payload.
    ///
    /// Keys unknown here are ignored, `null` is absent, and an accessory of Bluetooth Channel Sounding or downlink TDoA
    /// needs no data.
    init(json payload: Span<UInt8>, from start: Int, _ kind: Kind) throws(CodecError.Reason) {
        var reading = Reading()
        do throws(ReportError) {
            try reading.read(payload, from: start)
        } catch {
            throw .json(error)
        }
        if let fault = reading.fault { throw fault }
        if let data = reading.data {
            let (bytes, spelling) = try Self.bytes(ofText: data.text.span, at: data.offset)
            guard !bytes.isEmpty else { throw .invalidField(.data, offset: data.offset) }
            self.init(bytes, spelling, kind)
        } else {
            guard let technology = reading.technology, technology != .uwb else { throw .missingData }
            self.init([], .hexadecimal, kind)
            self.data = nil
        }
        isJSON = true
        name = reading.name
        technology = reading.technology
        capabilities = reading.capabilities
        identifiers = reading.identifiers
        networkIdentifier = reading.networkIdentifier
    }

    /// The bytes that stand as text in `data` of the object that begins at an offset of the payload.
    static func data(ofJSON payload: Span<UInt8>, from start: Int) throws(CodecError.Reason) -> [UInt8] {
        var reading = Reading()
        do throws(ReportError) {
            try reading.read(payload, from: start)
        } catch {
            throw .json(error)
        }
        if let fault = reading.fault { throw fault }
        guard let data = reading.data else { throw .missingData }
        return try bytes(ofText: data.text.span, at: data.offset).0
    }

    /// Whether a text may be a name: not empty, no longer than one in the configuration may be, and without controls.
    static func isName(_ text: String) -> Bool {
        guard 1...1024 ~= text.utf8.count else { return false }
        return !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    /// The fields while the object is read; a fault of one does not hide broken JSON behind it.
    private struct Reading {
        var data: (text: [UInt8], offset: Int)?
        var name: String?
        var technology: Technology?
        var capabilities: Capabilities?
        var identifier: String?
        var previousIdentifier: String?
        var networkIdentifier: UInt32?
        var fault: CodecError.Reason?
        private var seen: Set<Field> = []

        /// Without a present identifier the one before says nothing.
        var identifiers: BluetoothIdentifiers? {
            identifier.map { BluetoothIdentifiers(current: $0, previous: previousIdentifier) }
        }

        mutating func read(_ payload: Span<UInt8>, from start: Int) throws(ReportError) {
            var offset = start
            try JSONScanner.expect(UInt8(ascii: "{"), in: payload, at: &offset)
            var isFirst = true
            while let key = try JSONScanner.nextKey(in: payload, at: &offset, isFirst: &isFirst) {
                guard let field = Field.allCases.first(where: { JSONScanner.isText(of: key, $0.rawValue, in: payload) })
                else {
                    try JSONScanner.skipValue(in: payload, at: &offset, depth: 1)
                    continue
                }
                if !seen.insert(field).inserted { fault = fault ?? .duplicateField(field, offset: offset) }
                let position = offset
                if try !read(field, payload, at: &offset) { fault = fault ?? .invalidField(field, offset: position) }
            }
            try JSONScanner.expectEnd(in: payload, at: &offset)
        }

        /// Reads a value and returns whether it may stand there.
        private mutating func read(
            _ field: Field,
            _ payload: Span<UInt8>,
            at offset: inout Int
        ) throws(ReportError) -> Bool {
            var end = offset
            if JSONScanner.peek(in: payload, at: offset) == UInt8(ascii: "n"),
                try JSONScanner.literal(in: payload, at: &end) == .null
            {
                offset = end
                return true
            }
            if field == .capabilities {
                capabilities = try Capabilities.decode(in: payload, at: &offset)
                return capabilities != nil
            }
            if field == .networkIdentifier, JSONScanner.isNumber(in: payload, at: offset) {
                let number = try JSONScanner.number(in: payload, at: &offset)
                networkIdentifier = number.integer(in: payload).flatMap { UInt32(exactly: $0) }
                return networkIdentifier != nil
            }
            guard JSONScanner.peek(in: payload, at: offset) == UInt8(ascii: "\"") else {
                try JSONScanner.skipValue(in: payload, at: &offset, depth: 1)
                return false
            }
            let position = offset + 1
            let string = try JSONScanner.string(in: payload, at: &offset)
            let bytes = JSONScanner.bytes(of: string, in: payload)
            switch field {
            case .data: data = (bytes, position)
            case .name:
                name = Self.name(bytes)
                return name != nil
            case .technology:
                technology = Technology.allCases.first { $0.rawValue.utf8.elementsEqual(bytes) }
                return technology != nil
            case .identifier:
                identifier = Self.identifier(bytes)
                return identifier != nil
            case .previousIdentifier:
                previousIdentifier = Self.identifier(bytes)
                return previousIdentifier != nil
            case .capabilities, .networkIdentifier: return false
            }
            return true
        }

        private static func identifier(_ bytes: [UInt8]) -> String? {
            BluetoothIdentifiers.isValid(bytes.span) ? String(decoding: bytes, as: UTF8.self) : nil
        }

        private static func name(_ bytes: [UInt8]) -> String? {
            String(validating: bytes, as: UTF8.self).flatMap { ConfigurationPayload.isName($0) ? $0 : nil }
        }
    }
}
