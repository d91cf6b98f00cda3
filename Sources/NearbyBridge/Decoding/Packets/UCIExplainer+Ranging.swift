// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// The session-info notification (reference/uwb-reports.md sections 1.2 to 1.4).
extension UCIExplainer {
    /// Adds the notification's own fields and those of its measurements.
    mutating func explainRanges() {
        guard var reader, let head = UCIRangeHeader(&reader, bytes.span) else {
            warn("the notification at byte \(start) is too short for its own fields")
            return
        }
        add("sequence_number", UInt32.self)
        add("session_token", UInt32.self) { _ in "the session's id, in FiRa 2.0 a handle" }
        add("rcr_indicator", UInt8.self)
        add("current_ranging_interval", UInt32.self) { "ms" + (1...1000 ~= $0 ? Self.rate($0) : "") }
        add("ranging_measurement_type", UInt8.self, UCIVocabulary.measurementType)
        add("reserved", 1)
        add("mac_address_indicator", UInt8.self) {
            $0 > 1 ? "unknown" : ($0 == 1 ? "extended addresses" : "short addresses")
        }
        add("reserved", 8, .none, "with Qorvo the primary session id")
        add("number_of_measurements", UInt8.self)
        if head.addressIndicator > 1 {
            warn("MAC address indicator \(head.addressIndicator) is unknown, taken as short addresses")
        }
        switch UCIRangeHeader.MeasurementType(rawValue: head.type) {
        case .twoWay: explainMeasurements(head, length: UCITwoWayMeasurement.length) { $0.explainTwoWay(head, $1) }
        case .oneWayAngle:
            explainMeasurements(head, length: head.isExtended ? 19 : 13) { $0.explainAngle(head, $1) }
        case .downlinkTDoA: explainMeasurements(head, length: nil) { $0.explainTDoA(head, $1) }
        case .oneWay: break
        case nil: warn("measurement type \(head.type) is unknown")
        }
        guard left > 0, head.type <= UCIRangeHeader.MeasurementType.oneWayAngle.rawValue else { return }
        let place = "behind the measurements of the notification at byte \(start)"
        warn("\(left) byte\(left == 1 ? "" : "s") of the vendor \(place)")
        add("vendor_data", left)
    }

    private static func rate(_ interval: UInt32) -> String {
        ": \(Column.decimal(1000 / Double(interval), 1)) rounds a second"
    }

    /// Adds measurements, as many as the notification counts and has room for; `length` is what each has, if all have
    /// the same.
    private mutating func explainMeasurements(
        _ head: UCIRangeHeader,
        length: Int?,
        _ explain: (inout Self, _ label: String) -> Void
    ) {
        if let length {
            let room = left / length
            if room < head.count || (room > head.count && left % length == 0) {
                warn("the notification counts \(head.count) measurements and has room for \(room)")
            }
        }
        for number in 0..<head.count {
            guard left > 0 else {
                if length == nil { warn("measurement \(number + 1) of \(head.count) is missing") }
                return
            }
            let label = "measurement \(number + 1) of \(head.count)"
            if let length, left < length {
                warn("\(label) is cut: expected \(length) bytes, found \(left)")
                add("measurement", left, .none, "cut")
                return
            }
            explain(&self, label)
        }
    }

    private mutating func explainTwoWay(_ head: UCIRangeHeader, _ label: String) {
        guard var reader,
            let measurement = UCITwoWayMeasurement(&reader, bytes.span, isExtended: head.isExtended)
        else { return }
        addAddress(head, label)
        addStatus("status")
        if !measurement.isMeasured {
            let word = UCIVocabulary.status(measurement.status) ?? "unknown status"
            warn("\(label): the round failed (\(word)), so there is no distance")
        } else if measurement.distance == nil {
            warn("\(label): the status is OK and the distance 0xFFFF, which is none")
        }
        addSight()
        if let distance = measurement.distance {
            let sign = measurement.status == UCITwoWayMeasurement.okNegative ? ", negative by its status" : ""
            add("distance", 2, .quantity(distance, decimals: 2, unit: "m"), "\(measurement.centimetres) cm\(sign)")
        } else {
            let text = measurement.centimetres == .max ? "none" : "\(measurement.centimetres) cm, of a failed round"
            add("distance", 2, .none, text)
        }
        add("azimuth", measurement.azimuth, limit: 180)
        add("elevation", measurement.elevation, limit: 90)
        add("destination_azimuth", measurement.destinationAzimuth, limit: 180)
        add("destination_elevation", measurement.destinationElevation, limit: 90)
        add("slot_index", UInt8.self) { _ in measurement.isMeasured ? "" : "in which the round failed" }
        addSignal(measurement.rssi)
        add("reserved", UCITwoWayMeasurement.reserved(isExtended: head.isExtended))
    }

    private mutating func explainAngle(_ head: UCIRangeHeader, _ label: String) {
        addAddress(head, label)
        addStatus("status")
        addSight()
        add("frame_sequence_number", UInt8.self)
        add("block_index", UInt16.self)
        addAngles()
    }

    /// A measurement whose length its own message control says.
    private mutating func explainTDoA(_ head: UCIRangeHeader, _ label: String) {
        let control = peek(UInt16.self, skipping: head.isExtended ? 10 : 4) ?? 0
        let length = Self.lengthOfTDoA(control, isExtended: head.isExtended)
        if left < length { warn("\(label) is cut: expected \(length) bytes, found \(left)") }
        addAddress(head, label)
        addStatus("status")
        add("message_type", UInt8.self)
        add("message_control", 2, .hexadecimal(control))
        add("block_index", UInt16.self)
        add("round_index", UInt8.self)
        addSight()
        addAngles()
        addSignal(peek(UInt8.self).flatMap { $0 == 0 ? nil : -Float($0) / 2 })
        add("tx_timestamp", control & 0x02 == 0 ? 5 : 8)
        add("rx_timestamp", control & 0x08 == 0 ? 5 : 8)
        for name in ["anchor_cfo", "cfo"] {
            let value = peek(Int16.self).map {
                DecodedField.Value.quantity(Double($0) / 1024, decimals: 3, unit: "ppm")
            }
            add(name, 2, value ?? .none)
        }
        add("initiator_reply_time", UInt32.self)
        add("responder_reply_time", UInt32.self)
        add("initiator_responder_tof", UInt16.self)
        if control & 0x20 != 0 { add("wgs84_location", 12) }
        if control & 0x40 != 0 { add("relative_location", 10) }
        add("active_rounds", Int(control >> 7 & 0x0F))
    }

    private static func lengthOfTDoA(_ control: UInt16, isExtended: Bool) -> Int {
        let times = (control & 0x02 == 0 ? 5 : 8) + (control & 0x08 == 0 ? 5 : 8)
        let places = (control & 0x20 == 0 ? 0 : 12) + (control & 0x40 == 0 ? 0 : 10)
        return (isExtended ? 8 : 2) + 29 + times + places + Int(control >> 7 & 0x0F)
    }

    // MARK: Fields

    private mutating func addAddress(_ head: UCIRangeHeader, _ label: String) {
        let address =
            head.isExtended
            ? peek(UInt64.self).map { RadioAddress(extended: $0) } : peek(UInt16.self).map { RadioAddress(UInt64($0)) }
        add("mac_address", head.isExtended ? 8 : 2, address.map { .text("\($0)") } ?? .none, label)
    }

    private mutating func addSight() {
        add("nlos", UInt8.self) {
            switch $0 {
            case 0: "line of sight"
            case 1: "no line of sight"
            case 0xFF: "undetermined"
            default: "unknown"
            }
        }
    }

    private mutating func addSignal(_ rssi: Float?) {
        guard let rssi else { return add("rssi", 1, .none, "not reported") }
        add("rssi", 1, .quantity(Double(rssi), decimals: 1, unit: "dBm"))
    }

    private mutating func addAngles() {
        guard var reader, let azimuth = UCIAngle(&reader, bytes.span),
            let elevation = UCIAngle(&reader, bytes.span)
        else { return add("angles", min(left, 6), .none, "cut") }
        add("azimuth", azimuth, limit: 180)
        add("elevation", elevation, limit: 90)
    }

    private mutating func add(_ name: String, _ angle: UCIAngle, limit: Float) {
        let degrees = angle.degrees.map { DecodedField.Value.quantity(Double($0), decimals: 2, unit: "deg") }
        add(name, 2, degrees ?? .none, degrees == nil ? "not usable" : "")
        add(name + "_fom", 1, .decimal(angle.merit), angle.merit == 0 ? "no angle" : "% figure of merit")
        if let degrees = angle.degrees, degrees.magnitude > limit { warn("\(name) is beyond \(Int(limit))°") }
    }
}
