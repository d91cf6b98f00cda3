// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What an accessory answers to initialize: a header and what it says about its radio (ACD).
///
/// `reference/nearby-interaction.md` section 2. Keeps every byte, reserved ones and a tail included: `encoded` is bit
/// for bit what was decoded, and can serve as the identity of the configuration.
public struct AccessoryConfigurationData: Hashable, Sendable {
    /// Bytes before the inner block.
    public static let headerLength = 16

    /// The inner block.
    public enum Content: Hashable, Sendable {
        /// A version that is known, at least in its beginning.
        case parsed(UWBConfigurationData)
        /// A major version that is unknown: the block with its version, as it came.
        case unparsed(ConfigurationVersion, [UInt8])
    }

    /// The version of the header; its major part is always 1.
    public let headerVersion: ConfigurationVersion
    /// How often the accessory would like to range.
    public var preferredUpdateRate: UpdateRate
    /// Ten bytes that should be zero.
    public let reserved: [UInt8]
    /// The inner block.
    public let content: Content
    /// What stood behind the declared end.
    public let trailing: [UInt8]

    /// Creates configuration data of a known version.
    public init(preferredUpdateRate: UpdateRate = .automatic, _ uwb: UWBConfigurationData) {
        headerVersion = ConfigurationVersion(1, 0)
        self.preferredUpdateRate = preferredUpdateRate
        reserved = [UInt8](repeating: 0, count: 10)
        content = .parsed(uwb)
        trailing = []
    }

    /// What the accessory says about its radio, `nil` if its version is unknown.
    public var uwb: UWBConfigurationData? {
        switch content {
        case .parsed(let uwb): uwb
        case .unparsed: nil
        }
    }

    /// The version of the inner block, in which shareable configuration data must answer.
    public var version: ConfigurationVersion {
        switch content {
        case .parsed(let uwb): uwb.version
        case .unparsed(let version, _): version
        }
    }

    /// Decodes bare bytes, without a message id: `AccessoryMessage` takes that off.
    ///
    /// - Throws: What is wrong, with a hint where the bytes have a known fault. The rules are those of
    ///   `reference/nearby-interaction.md` section 2.3: a tail, reserved bytes and higher minor versions are only
    ///   warned of, missing bytes and a wrong length byte are not accepted.
    public static func decode(_ bytes: Span<UInt8>) throws(CodecError) -> Self {
        do throws(CodecError.Reason) {
            return try Self(bytes)
        } catch {
            throw CodecError(.accessoryConfigurationData, error, hint: hint(bytes, error))
        }
    }

    init(_ bytes: Span<UInt8>) throws(CodecError.Reason) {
        guard !bytes.isEmpty else { throw .empty }
        var offset = 0
        guard let major = ByteReader.integer(UInt16.self, in: bytes, at: &offset),
            let minor = ByteReader.integer(UInt16.self, in: bytes, at: &offset),
            let rate = ByteReader.integer(UInt8.self, in: bytes, at: &offset),
            let reserved = ByteReader.bytes(10, in: bytes, at: &offset),
            let length = ByteReader.integer(UInt8.self, in: bytes, at: &offset)
        else { throw .headTooShort(expected: Self.headerLength, actual: bytes.count) }
        guard major == 1 else { throw .unsupportedMajorVersion(major) }
        let end = offset + Int(length)
        guard bytes.count >= end else { throw .tooShort(expected: end, actual: bytes.count) }
        headerVersion = ConfigurationVersion(major, minor)
        preferredUpdateRate = UpdateRate(rawValue: rate)
        self.reserved = reserved
        let inner = bytes.extracting(offset..<end)
        var position = 0
        guard let innerMajor = ByteReader.integer(UInt16.self, in: inner, at: &position),
            let innerMinor = ByteReader.integer(UInt16.self, in: inner, at: &position)
        else { throw .wrongLength(version: nil, expected: 4, actual: inner.count) }
        let version = ConfigurationVersion(innerMajor, innerMinor)
        if let layout = version.layout {
            content = .parsed(try UWBConfigurationData.decode(inner, version: version, layout: layout))
        } else {
            // A version grows by one: 256 and more is no later version but something else, such as misplaced bytes.
            guard 1...255 ~= innerMajor else { throw .unsupportedMajorVersion(innerMajor) }
            position = 0
            content = .unparsed(version, ByteReader.rest(of: inner, at: &position))
        }
        offset = end
        trailing = ByteReader.rest(of: bytes, at: &offset)
    }

    /// The bare bytes, as they are sent behind message id 0x01.
    public var encoded: [UInt8] {
        let inner: [UInt8] =
            switch content {
            case .parsed(let uwb): uwb.encoded
            case .unparsed(_, let block): block
            }
        var writer = ByteWriter(capacity: Self.headerLength + inner.count + trailing.count)
        writer.append(headerVersion.major)
        writer.append(headerVersion.minor)
        writer.append(preferredUpdateRate.rawValue)
        writer.append(reserved)
        writer.append(UInt8(truncatingIfNeeded: inner.count))
        writer.append(inner)
        writer.append(trailing)
        return writer.bytes
    }

    /// What is unusual about it.
    public var warnings: [ConfigurationWarning] {
        var warnings: [ConfigurationWarning] = []
        if headerVersion.minor > 0 { warnings.append(.newerMinorVersion(headerVersion)) }
        if !preferredUpdateRate.isKnown { warnings.append(.updateRate(preferredUpdateRate)) }
        let isReservedZero = reserved.allSatisfy { $0 == 0 }
        if !isReservedZero { warnings.append(.reservedNotZero) }
        switch content {
        case .parsed(let uwb): warnings += uwb.warnings.filter { $0 != .reservedNotZero || isReservedZero }
        case .unparsed(let version, _): warnings.append(.unparsedVersion(version))
        }
        if !trailing.isEmpty { warnings.append(.trailingBytes(trailing.count)) }
        return warnings
    }

    /// What probably happened to bytes that could not be decoded.
    private static func hint(_ bytes: Span<UInt8>, _ reason: CodecError.Reason) -> CodecError.Hint? {
        if case .unsupportedMajorVersion(let major) = reason, bytes[0] != 1 || bytes[1] != 0 {
            // 01 01 00 is a message id and major version 1, 00 01 the version in the order of networks.
            if major == 0x0101 { return .framedTwice }
            if major == 0x0100 { return .bigEndian }
        }
        if (try? ShareableConfigurationData(bytes))?.isExact == true { return .isShareable }
        // The inner block begins like the header, but has an identifier where the header has zeros.
        let hasHeader = bytes.count < headerLength || (5..<15).allSatisfy { bytes[$0] == 0 }
        if !hasHeader, (try? UWBConfigurationData.decode(bytes)) != nil { return .innerBlockOnly }
        // Of 20 bytes on the link one is the message id, unless the bytes went bare.
        if case .tooShort = reason, 19...20 ~= bytes.count { return .cutAtDefaultMTU }
        return bytes.count == 18 ? .androidLayout : nil
    }
}
