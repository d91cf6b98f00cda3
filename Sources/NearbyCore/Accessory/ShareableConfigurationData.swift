// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What the phone has the accessory told before a run, behind message id 0x0B (SCD).
///
/// `reference/nearby-interaction.md` section 3, versions 1.0, 1.1 and 2.0. Keeps every byte: `encoded` is bit for bit
/// what was decoded. The key material in it, and whatever may hold it, shows in no description and no dump.
public struct ShareableConfigurationData: Hashable, Sendable {
    /// Bytes before the block that the length byte speaks of.
    public static let headerLength = 5

    /// The fields.
    public enum Content: Hashable, Sendable {
        /// A version that is known, at least in its beginning.
        case parsed(Fields)
        /// A major version that is unknown: the block behind the length byte, as it came.
        case unparsed(SecretBytes)
    }

    /// The fields of a known version.
    public struct Fields: Hashable, Sendable {
        /// How they are laid out.
        public let layout: ConfigurationLayout
        /// Their values.
        public let parameters: RangingParameters
        /// Four bytes of version 2.0 that should be zero, else none.
        public let reserved: [UInt8]
        /// What a later minor version has appended.
        public let extra: SecretBytes
    }

    /// The version as declared; its minor part may be newer than the layout.
    public let version: ConfigurationVersion
    /// The fields.
    public let content: Content
    /// What stood behind the declared end.
    public let trailing: SecretBytes

    /// Creates data of a known version; parameters that the layout has no place for are left out.
    public init(layout: ConfigurationLayout, _ parameters: RangingParameters) {
        var parameters = parameters
        if !layout.hasClockDrift { parameters.clockDrift = 0 }
        if !layout.hasRequests { parameters.hoppingMode = 0 }
        version = layout.version
        let reserved: [UInt8] = layout.hasRequests ? [0, 0, 0, 0] : []
        content = .parsed(
            Fields(layout: layout, parameters: parameters, reserved: reserved, extra: SecretBytes([]))
        )
        trailing = SecretBytes([])
    }

    /// What was decided, `nil` if the version is unknown.
    public var parameters: RangingParameters? {
        switch content {
        case .parsed(let fields): fields.parameters
        case .unparsed: nil
        }
    }

    /// How the fields are laid out, `nil` if the version is unknown.
    public var layout: ConfigurationLayout? {
        switch content {
        case .parsed(let fields): fields.layout
        case .unparsed: nil
        }
    }

    /// Decodes bare bytes, without a message id: `AccessoryMessage` takes that off.
    ///
    /// - Throws: What is wrong, with a hint where the bytes have a known fault. A tail, reserved bytes and higher minor
    ///   versions are only warned of, missing bytes and a wrong length byte are not accepted.
    public static func decode(_ bytes: Span<UInt8>) throws(CodecError) -> Self {
        do throws(CodecError.Reason) {
            return try Self(bytes)
        } catch {
            throw CodecError(.shareableConfigurationData, error, hint: hint(bytes, error))
        }
    }

    init(_ bytes: Span<UInt8>) throws(CodecError.Reason) {
        guard !bytes.isEmpty else { throw .empty }
        var offset = 0
        guard let major = ByteReader.integer(UInt16.self, in: bytes, at: &offset),
            let minor = ByteReader.integer(UInt16.self, in: bytes, at: &offset),
            let length = ByteReader.integer(UInt8.self, in: bytes, at: &offset)
        else { throw .headTooShort(expected: Self.headerLength, actual: bytes.count) }
        // A version grows by one: 256 and more is no later version but something else.
        guard 1...255 ~= major else { throw .unsupportedMajorVersion(major) }
        version = ConfigurationVersion(major, minor)
        let end = offset + Int(length)
        if let layout = version.layout {
            let expected = layout.shareableLength
            guard version == layout.version ? length == expected : length >= expected else {
                throw .wrongLength(version: version, expected: expected, actual: Int(length))
            }
        }
        guard bytes.count >= end else { throw .tooShort(expected: end, actual: bytes.count) }
        let block = bytes.extracting(offset..<end)
        if let layout = version.layout {
            guard let fields = Fields(block, layout) else {
                throw .tooShort(expected: Self.headerLength + layout.shareableLength, actual: bytes.count)
            }
            content = .parsed(fields)
        } else {
            var position = 0
            content = .unparsed(SecretBytes(ByteReader.rest(of: block, at: &position)))
        }
        offset = end
        trailing = SecretBytes(ByteReader.rest(of: bytes, at: &offset))
    }

    /// The bare bytes, as they are sent behind message id 0x0B.
    public var encoded: [UInt8] {
        let block: [UInt8] =
            switch content {
            case .parsed(let fields): fields.encoded
            case .unparsed(let block): block.bytes
            }
        var writer = ByteWriter(capacity: Self.headerLength + block.count + trailing.bytes.count)
        writer.append(version.major)
        writer.append(version.minor)
        writer.append(UInt8(truncatingIfNeeded: block.count))
        writer.append(block)
        writer.append(trailing.bytes)
        return writer.bytes
    }

    /// What is unusual about it.
    public var warnings: [ConfigurationWarning] {
        var warnings: [ConfigurationWarning] = []
        switch content {
        case .parsed(let fields):
            if version != fields.layout.version { warnings.append(.newerMinorVersion(version)) }
            warnings += fields.parameters.warnings(fields.layout)
            if fields.reserved.contains(where: { $0 != 0 }) { warnings.append(.reservedNotZero) }
        case .unparsed: warnings.append(.unparsedVersion(version))
        }
        if !trailing.bytes.isEmpty { warnings.append(.trailingBytes(trailing.bytes.count)) }
        return warnings
    }

    /// Whether it is of a known version, and nothing stands behind it: then it is hardly something else.
    var isExact: Bool { layout?.version == version && trailing.bytes.isEmpty }

    /// What probably happened to bytes that could not be decoded.
    private static func hint(_ bytes: Span<UInt8>, _ reason: CodecError.Reason) -> CodecError.Hint? {
        if case .tooShort = reason, 19...20 ~= bytes.count { return .cutAtDefaultMTU }
        if case .unsupportedMajorVersion(let major) = reason {
            // 0B 01 00 is a message id and major version 1, 00 01 the version in the order of networks.
            if major == 0x010B || major == 0x020B { return .framedTwice }
            if major == 0x0100 || major == 0x0200 { return .bigEndian }
        }
        return (try? AccessoryConfigurationData(bytes)) != nil ? .isAccessory : nil
    }
}

extension ShareableConfigurationData.Fields {
    /// `nil` if there are too few bytes.
    fileprivate init?(_ block: Span<UInt8>, _ layout: ConfigurationLayout) {
        var offset = 0
        guard let first = ByteReader.integer(UInt8.self, in: block, at: &offset),
            let second = ByteReader.integer(UInt8.self, in: block, at: &offset),
            let sessionID = ByteReader.integer(UInt32.self, in: block, at: &offset),
            let preamble = ByteReader.integer(UInt8.self, in: block, at: &offset),
            let channel = ByteReader.integer(UInt8.self, in: block, at: &offset),
            let slots = ByteReader.integer(UInt16.self, in: block, at: &offset),
            let duration = ByteReader.integer(UInt16.self, in: block, at: &offset),
            let interval = ByteReader.integer(UInt16.self, in: block, at: &offset),
            let control = ByteReader.integer(UInt8.self, in: block, at: &offset),
            let key = ByteReader.bytes(STSInitializationVector.length, in: block, at: &offset),
            let stsIV = STSInitializationVector(key),
            let address = ByteReader.integer(UInt16.self, in: block, at: &offset)
        else { return nil }
        var parameters = RangingParameters(
            country: RangingParameters.Country(first, second),
            sessionID: sessionID,
            preamble: preamble,
            channel: channel,
            timing: RoundTiming(slotsPerRound: slots, slotDuration: duration, interval: interval),
            roundControl: control,
            stsIV: stsIV,
            destinationAddress: ShortAddress(address),
            clockDrift: 0
        )
        var reserved: [UInt8] = []
        if layout.hasClockDrift {
            guard let drift = ByteReader.integer(UInt16.self, in: block, at: &offset) else { return nil }
            parameters.clockDrift = drift
        }
        if layout.hasRequests {
            guard let bytes = ByteReader.bytes(4, in: block, at: &offset),
                let hopping = ByteReader.integer(UInt8.self, in: block, at: &offset)
            else { return nil }
            reserved = bytes
            parameters.hoppingMode = hopping
        }
        self.layout = layout
        self.parameters = parameters
        self.reserved = reserved
        extra = SecretBytes(ByteReader.rest(of: block, at: &offset))
    }

    fileprivate var encoded: [UInt8] {
        var writer = ByteWriter(capacity: layout.shareableLength + extra.bytes.count)
        writer.append(parameters.country.first)
        writer.append(parameters.country.second)
        writer.append(parameters.sessionID)
        writer.append(parameters.preamble)
        writer.append(parameters.channel)
        writer.append(parameters.timing.slotsPerRound)
        writer.append(parameters.timing.slotDuration)
        writer.append(parameters.timing.interval)
        writer.append(parameters.roundControl)
        writer.append(parameters.stsIV.bytes)
        writer.append(parameters.destinationAddress.value)
        if layout.hasClockDrift { writer.append(parameters.clockDrift) }
        writer.append(reserved)
        if layout.hasRequests { writer.append(parameters.hoppingMode) }
        writer.append(extra.bytes)
        return writer.bytes
    }
}
