// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// A command to a UWB chip, in the order in which a session needs them: init, configure, start; stop, deinit.
///
/// FiRa's UCI (`reference/uwb-reports.md` section 1.1). A chip of FiRa 2.0 answers `SESSION_INIT` with a handle, which
/// then takes the place of the session id in what follows.
public enum UCICommand: Hashable, Sendable {
    /// `SESSION_INIT`: there is a ranging session of this id.
    case sessionInit(UInt32)
    /// `SESSION_DEINIT`: there is none any more.
    case sessionDeinit(UInt32)
    /// `SESSION_SET_APP_CONFIG`: every parameter of it.
    case sessionSetAppConfig(FiRaSession)
    /// `RANGE_START`, in FiRa 2.0 `SESSION_START`.
    case rangeStart(UInt32)
    /// `RANGE_STOP`, in FiRa 2.0 `SESSION_STOP`.
    case rangeStop(UInt32)

    /// Message type 1, in the upper three bits of the first octet.
    private static let command: UInt8 = 1
    private static let configurationGroup: UInt8 = 1
    private static let controlGroup: UInt8 = 2
    /// Of `SESSION_INIT`.
    private static let rangingSession: UInt8 = 0

    /// What begins a run on a radio.
    public static func start(_ session: FiRaSession) -> [UCICommand] {
        [.sessionInit(session.sessionID), .sessionSetAppConfig(session), .rangeStart(session.sessionID)]
    }

    /// What ends a run on a radio.
    public static func stop(_ sessionID: UInt32) -> [UCICommand] { [.rangeStop(sessionID), .sessionDeinit(sessionID)] }

    private var head: (group: UInt8, opcode: UInt8) {
        switch self {
        case .sessionInit: (Self.configurationGroup, 0)
        case .sessionDeinit: (Self.configurationGroup, 1)
        case .sessionSetAppConfig: (Self.configurationGroup, 3)
        case .rangeStart: (Self.controlGroup, 0)
        case .rangeStop: (Self.controlGroup, 1)
        }
    }

    /// The whole packet; that of `SESSION_SET_APP_CONFIG` holds the key material.
    public var encoded: [UInt8] {
        var payload = ByteWriter(capacity: 96)
        switch self {
        case .sessionInit(let id):
            payload.append(id)
            payload.append(Self.rangingSession)
        case .sessionDeinit(let id), .rangeStart(let id), .rangeStop(let id):
            payload.append(id)
        case .sessionSetAppConfig(let session):
            payload.append(session.sessionID)
            payload.append(UInt8(FiRaParameter.allCases.count))
            for parameter in FiRaParameter.allCases {
                payload.append(parameter.rawValue)
                payload.append(UInt8(parameter.length))
                payload.append(session.bytes(of: parameter))
            }
        }
        // One packet, without segments: all parameters together have 80 bytes.
        let header = [Self.command << 5 | head.group, head.opcode, 0, UInt8(payload.bytes.count)]
        return header + payload.bytes
    }

    /// Reads a packet back, of one segment or of several.
    public static func decode(_ bytes: Span<UInt8>) throws(UCICommandError) -> UCICommand {
        guard var reader = UCIReader(bytes, at: 0, isText: false) else { throw .truncated }
        let header = reader.header
        guard header.type == command else { throw .notCommand(type: header.type) }
        guard let id = reader.integer(UInt32.self, bytes) else { throw .truncated }
        let read: UCICommand
        switch (header.group, header.opcode) {
        case (configurationGroup, 0):
            guard let type = reader.next(bytes) else { throw .truncated }
            guard type == rangingSession else { throw .sessionType(type) }
            read = .sessionInit(id)
        case (configurationGroup, 1): read = .sessionDeinit(id)
        case (configurationGroup, 3):
            read = .sessionSetAppConfig(try FiRaSession(id: id, try values(&reader, bytes)))
        case (controlGroup, 0): read = .rangeStart(id)
        case (controlGroup, 1): read = .rangeStop(id)
        default: throw .unknownCommand(group: header.group, opcode: header.opcode)
        }
        guard reader.next(bytes) == nil, reader.offset == bytes.count else { throw .trailingBytes }
        return read
    }

    private static func values(
        _ reader: inout UCIReader,
        _ bytes: Span<UInt8>
    ) throws(UCICommandError) -> [FiRaParameter: SecretBytes] {
        guard let count = reader.next(bytes) else { throw .truncated }
        var values: [FiRaParameter: SecretBytes] = [:]
        for _ in 0..<count {
            guard let number = reader.next(bytes), let length = reader.next(bytes) else { throw .truncated }
            var value: [UInt8] = []
            for _ in 0..<length {
                guard let octet = reader.next(bytes) else { throw .truncated }
                value.append(octet)
            }
            guard let parameter = FiRaParameter(rawValue: number) else { throw .unknownParameter(number) }
            guard value.count == parameter.length else { throw .wrongParameterLength(parameter, value.count) }
            guard values.updateValue(SecretBytes(value), forKey: parameter) == nil else {
                throw .duplicateParameter(parameter)
            }
        }
        return values
    }
}
