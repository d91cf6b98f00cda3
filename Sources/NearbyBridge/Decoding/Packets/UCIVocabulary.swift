// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// What the numbers of UCI mean (reference/uwb-reports.md section 1; google/pica `uci_packets.pdl`).
enum UCIVocabulary {
    /// A type of message.
    static func messageType(_ type: UInt8) -> String {
        switch type {
        case 0: "data"
        case 1: "command"
        case 2: "response"
        case 3: "notification"
        default: "unknown message type \(type)"
        }
    }

    /// A group of messages.
    static func group(_ group: UInt8) -> String {
        switch group {
        case 0: "core"
        case 1: "session configuration"
        case 2: "session control"
        case 3: "data control"
        case 9, 0xA, 0xB, 0xE, 0xF: "vendor group \(group)"
        case 0xC: "Android"
        case 0xD: "test"
        default: "unknown group \(group)"
        }
    }

    /// The name of a command, its response, or a notification.
    static func message(_ header: UCIReader.Header) -> String {
        guard header.type > 0 else { return "" }
        if header.type == 3 {
            switch (header.group, header.opcode) {
            case (0, 1): return "DEVICE_STATUS_NTF"
            case (0, 7): return "GENERIC_ERROR_NTF"
            case (1, 2): return "SESSION_STATUS_NTF"
            case (2, 0): return "SESSION_INFO_NTF, in FiRa 1.x RANGE_DATA_NTF"
            case (2, 4): return "DATA_CREDIT_NTF"
            case (2, 5): return "DATA_TRANSFER_STATUS_NTF"
            default: break
            }
        }
        guard let name = name(header.group, header.opcode) else { return "unknown" }
        switch header.type {
        case 1: return name + "_CMD"
        case 2: return name + "_RSP"
        default: return name + "_NTF"
        }
    }

    private static func name(_ group: UInt8, _ opcode: UInt8) -> String? {
        let names: [String]
        switch group {
        case 0:
            names = [
                "DEVICE_RESET", "DEVICE_STATUS", "GET_DEVICE_INFO", "GET_CAPS_INFO", "SET_CONFIG", "GET_CONFIG", "",
                "GENERIC_ERROR", "QUERY_UWBS_TIMESTAMP",
            ]
        case 1:
            names = [
                "SESSION_INIT", "SESSION_DEINIT", "SESSION_STATUS", "SESSION_SET_APP_CONFIG", "SESSION_GET_APP_CONFIG",
                "SESSION_GET_COUNT", "SESSION_GET_STATE", "SESSION_UPDATE_CONTROLLER_MULTICAST_LIST",
            ]
        case 2: names = ["SESSION_START", "SESSION_STOP", "", "SESSION_GET_RANGING_COUNT"]
        default: return nil
        }
        guard Int(opcode) < names.count, !names[Int(opcode)].isEmpty else { return nil }
        return names[Int(opcode)]
    }

    /// The name of a status, `nil` if it is unknown (section 1.6).
    static func status(_ status: UInt8) -> String? {
        switch status {
        case 0x00...0x0C:
            [
                "OK", "REJECTED", "FAILED", "SYNTAX_ERROR", "INVALID_PARAM", "INVALID_RANGE", "INVALID_MESSAGE_SIZE",
                "UNKNOWN_GID", "UNKNOWN_OID", "READ_ONLY", "MESSAGE_RETRY", "UNKNOWN", "NOT_APPLICABLE",
            ][Int(status)]
        case 0x11...0x17:
            [
                "SESSION_NOT_EXIST", "SESSION_DUPLICATE", "SESSION_ACTIVE", "MAX_SESSIONS_EXCEEDED",
                "SESSION_NOT_CONFIGURED", "SESSIONS_ONGOING", "MULTICAST_LIST_FULL",
            ][Int(status - 0x11)]
        case 0x1A: "UWB_INITIATION_TIME_TOO_OLD"
        case 0x1B: "OK_NEGATIVE_DISTANCE_REPORT"
        case 0x20...0x2A:
            [
                "RANGING_TX_FAILED", "RANGING_RX_TIMEOUT", "RANGING_RX_PHY_DEC_FAILED", "RANGING_RX_PHY_TOA_FAILED",
                "RANGING_RX_PHY_STS_FAILED", "RANGING_RX_MAC_DEC_FAILED", "RANGING_RX_MAC_IE_DEC_FAILED",
                "RANGING_RX_MAC_IE_MISSING", "ROUND_INDEX_NOT_ACTIVATED", "TOO_MANY_ACTIVE_ROUNDS",
                "DL_TDOA_ADDRESS_MISMATCH",
            ][Int(status - 0x20)]
        case 0x50...0x53:
            ["CCC_SE_BUSY", "CCC_LIFECYCLE", "SESSION_STOPPED_BY_ANOTHER", "REGULATION_UWB_OFF"][Int(status - 0x50)]
        default: nil
        }
    }

    /// How measurements were made.
    static func measurementType(_ type: UInt8) -> String {
        switch UCIRangeHeader.MeasurementType(rawValue: type) {
        case .oneWay: "one-way: no distance in this type"
        case .twoWay: "two-way"
        case .downlinkTDoA: "DL-TDoA: no distance in this type"
        case .oneWayAngle: "OWR-AoA: no distance in this type"
        case nil: "unknown"
        }
    }

    /// The state of a session.
    static func sessionState(_ state: UInt8) -> String {
        switch state {
        case 0: "INIT"
        case 1: "DEINIT"
        case 2: "ACTIVE"
        case 3: "IDLE"
        default: "unknown"
        }
    }

    /// Why a session changed its state.
    static func sessionReason(_ reason: UInt8) -> String {
        switch reason {
        case 0: "by a command"
        case 1: "so many rounds failed that it gave up"
        case 2: "all measurements that were asked for are made"
        case 3: "suspended by the other end"
        case 4: "resumed by the other end"
        case 5: "stopped by the other end"
        case 0x1D...0x41: "an error in the configuration"
        case 0x80...: "the vendor's own"
        default: "unknown"
        }
    }

    /// The state of a device.
    static func deviceState(_ state: UInt8) -> String {
        switch state {
        case 1: "READY"
        case 2: "ACTIVE"
        case 0xFF: "ERROR"
        default: "unknown"
        }
    }
}
