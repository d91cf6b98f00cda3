// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What an accessory says about its radio: the inner block of accessory configuration data.
///
/// `reference/nearby-interaction.md` section 2.2, versions 1.0, 1.1 and 2.0. Keeps every byte, reserved ones and
/// those of a later minor version included: what was decoded encodes to the same bits.
public struct UWBConfigurationData: Hashable, Sendable {
    /// The version as declared; its minor part may be newer than the layout.
    public let version: ConfigurationVersion
    /// How the fields are laid out.
    public let layout: ConfigurationLayout
    /// Who made the accessory, as its maker chose.
    public var manufacturerID: UInt32
    /// The UWB chip set, as its maker chose.
    public var modelID: UInt32
    /// The version of the UWB software, as its maker chose.
    public var middlewareVersion: UInt32
    /// The part that the accessory takes.
    public var role: RangingRole
    /// The accessory's address; vendors draw a new one at every initialize.
    public var sourceAddress: ShortAddress
    /// The largest error of the accessory's clock in parts per million, `nil` in version 1.0.
    public private(set) var clockDrift: UInt16?
    /// What the accessory asks for, `nil` before version 2.0.
    public private(set) var requests: RangingRequests?
    /// Four bytes of version 2.0 that should be zero, else none.
    public let reserved: [UInt8]
    /// What a later minor version has appended.
    public let extra: [UInt8]

    /// Creates a block; what the layout has no place for is left out.
    public init(
        layout: ConfigurationLayout,
        manufacturerID: UInt32 = 0,
        modelID: UInt32 = 0,
        middlewareVersion: UInt32 = 0,
        role: RangingRole,
        sourceAddress: ShortAddress,
        clockDrift: UInt16 = 100,
        requests: RangingRequests = RangingRequests()
    ) {
        version = layout.version
        self.layout = layout
        self.manufacturerID = manufacturerID
        self.modelID = modelID
        self.middlewareVersion = middlewareVersion
        self.role = role
        self.sourceAddress = sourceAddress
        self.clockDrift = layout.hasClockDrift ? clockDrift : nil
        self.requests = layout.hasRequests ? requests : nil
        reserved = layout.hasRequests ? [0, 0, 0, 0] : []
        extra = []
    }

    /// Decodes a block of its own, which must have exactly the length of its version.
    public static func decode(_ bytes: Span<UInt8>) throws(CodecError) -> Self {
        do throws(CodecError.Reason) {
            var offset = 0
            guard !bytes.isEmpty else { throw .empty }
            guard let major = ByteReader.integer(UInt16.self, in: bytes, at: &offset),
                let minor = ByteReader.integer(UInt16.self, in: bytes, at: &offset)
            else { throw .headTooShort(expected: 4, actual: bytes.count) }
            let version = ConfigurationVersion(major, minor)
            guard let layout = version.layout else { throw .unsupportedMajorVersion(major) }
            return try decode(bytes, version: version, layout: layout)
        } catch {
            throw CodecError(.uwbConfigurationData, error)
        }
    }

    /// Decodes a block whose version has been read and has a layout.
    static func decode(
        _ bytes: Span<UInt8>,
        version: ConfigurationVersion,
        layout: ConfigurationLayout
    ) throws(CodecError.Reason) -> Self {
        let expected = layout.accessoryLength
        guard version == layout.version ? bytes.count == expected : bytes.count >= expected else {
            throw .wrongLength(version: version, expected: expected, actual: bytes.count)
        }
        guard let data = Self(bytes, version, layout) else {
            throw .tooShort(expected: expected, actual: bytes.count)
        }
        return data
    }

    /// `nil` if there are too few bytes.
    private init?(_ bytes: Span<UInt8>, _ version: ConfigurationVersion, _ layout: ConfigurationLayout) {
        var offset = 4
        guard let manufacturerID = ByteReader.integer(UInt32.self, in: bytes, at: &offset),
            let modelID = ByteReader.integer(UInt32.self, in: bytes, at: &offset),
            let middlewareVersion = ByteReader.integer(UInt32.self, in: bytes, at: &offset),
            let role = ByteReader.integer(UInt8.self, in: bytes, at: &offset),
            let address = ByteReader.integer(UInt16.self, in: bytes, at: &offset)
        else { return nil }
        self.version = version
        self.layout = layout
        self.manufacturerID = manufacturerID
        self.modelID = modelID
        self.middlewareVersion = middlewareVersion
        self.role = RangingRole(rawValue: role)
        sourceAddress = ShortAddress(address)
        if layout.hasClockDrift {
            guard let drift = ByteReader.integer(UInt16.self, in: bytes, at: &offset) else { return nil }
            clockDrift = drift
        }
        if layout.hasRequests {
            guard let reserved = ByteReader.bytes(4, in: bytes, at: &offset),
                let hopping = ByteReader.integer(UInt8.self, in: bytes, at: &offset),
                let slots = ByteReader.integer(UInt16.self, in: bytes, at: &offset),
                let duration = ByteReader.integer(UInt16.self, in: bytes, at: &offset),
                let interval = ByteReader.integer(UInt16.self, in: bytes, at: &offset)
            else { return nil }
            self.reserved = reserved
            requests = RangingRequests(
                hoppingMode: hopping,
                slotsPerRound: slots,
                slotDuration: duration,
                interval: interval
            )
        } else {
            reserved = []
        }
        extra = ByteReader.rest(of: bytes, at: &offset)
    }

    /// The bytes of the block.
    public var encoded: [UInt8] {
        var writer = ByteWriter(capacity: layout.accessoryLength + extra.count)
        writer.append(version.major)
        writer.append(version.minor)
        writer.append(manufacturerID)
        writer.append(modelID)
        writer.append(middlewareVersion)
        writer.append(role.rawValue)
        writer.append(sourceAddress.value)
        if let clockDrift { writer.append(clockDrift) }
        writer.append(reserved)
        if let requests {
            writer.append(requests.hoppingMode)
            writer.append(requests.slotsPerRound)
            writer.append(requests.slotDuration)
            writer.append(requests.interval)
        }
        writer.append(extra)
        return writer.bytes
    }

    /// The timing that is asked for, `nil` before version 2.0.
    public var requestedTiming: RoundTiming? {
        requests.map {
            RoundTiming(slotsPerRound: $0.slotsPerRound, slotDuration: $0.slotDuration, interval: $0.interval)
        }
    }

    /// What is unusual about it (`reference/nearby-interaction.md` section 2.3).
    public var warnings: [ConfigurationWarning] {
        var warnings: [ConfigurationWarning] = []
        if version != layout.version { warnings.append(.newerMinorVersion(version)) }
        if !role.isTwoWay { warnings.append(.role(role)) }
        if sourceAddress.isReserved { warnings.append(.address(sourceAddress)) }
        if reserved.contains(where: { $0 != 0 }) { warnings.append(.reservedNotZero) }
        if let requests, requests.hoppingMode > 1 { warnings.append(.hoppingMode(requests.hoppingMode)) }
        if let requestedTiming { warnings += requestedTiming.warnings(isDecided: false) }
        return warnings
    }
}
