// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

extension Explanation {
    /// Adds the fields of bare accessory configuration data (`reference/nearby-interaction.md` section 2).
    mutating func explainAccessory(_ bytes: [UInt8]) throws(CodecError) {
        let data = try AccessoryConfigurationData.decode(bytes.span)
        add("major_version", 2, .decimal(data.headerVersion.major), "of the header")
        add("minor_version", 2, .decimal(data.headerVersion.minor))
        let rate = data.preferredUpdateRate
        add("preferred_update_rate", 1, .decimal(rate.rawValue), rate.meaning)
        add("reserved", data.reserved.count, .none)
        switch data.content {
        case .parsed(let uwb):
            add("config_data_length", 1, .decimal(uwb.encoded.count), "bytes from here to the declared end")
            explain(uwb, Self.grants(for: data))
        case .unparsed(let version, let block):
            add("config_data_length", 1, .decimal(block.count), "bytes from here to the declared end")
            add("uwb_major_version", 2, .decimal(version.major), "unknown")
            add("uwb_minor_version", 2, .decimal(version.minor))
            add("unparsed", block.count - 4, .none, "kept as it came")
        }
        add("trailing", data.trailing.count, .none, "behind the declared end, ignored")
        add(data.warnings)
    }

    /// What the bridge would make of its requests, unless its configuration says otherwise.
    private static func grants(for data: AccessoryConfigurationData) -> RangingGrants? {
        var generator = SystemRandomNumberGenerator()
        return ShareableDataSource().grants(for: data, using: &generator)
    }

    /// What becomes of a request, if it is not granted as it is.
    private static func answer(_ grant: RangingGrants.Grant?) -> String {
        guard let grant, let reason = grant.reason else { return "" }
        return reason == .wholeRounds
            ? "; minted as \(grant.granted), \(reason.text)" : "; not granted when minted: \(reason.text)"
    }

    private mutating func explain(_ uwb: UWBConfigurationData, _ grants: RangingGrants?) {
        add("uwb_major_version", 2, .decimal(uwb.version.major), "of the block about the radio")
        add("uwb_minor_version", 2, .decimal(uwb.version.minor))
        add("manufacturer_id", 4, .hexadecimal(uwb.manufacturerID), Self.manufacturer(uwb.manufacturerID))
        add("model_id", 4, .hexadecimal(uwb.modelID), "of the UWB chip set, the vendor's own")
        add("middleware_version", 4, .hexadecimal(uwb.middlewareVersion), "the vendor's own")
        add("ranging_role", 1, .decimal(uwb.role.rawValue), "the accessory is " + uwb.role.meaning)
        add("source_address", 2, .hexadecimal(uwb.sourceAddress.value), "the accessory's short MAC address")
        if let drift = uwb.clockDrift { add("clock_drift", 2, .decimal(drift), "ppm at most") }
        add("uwb_reserved", uwb.reserved.count, .none)
        if let requests = uwb.requests, let timing = uwb.requestedTiming {
            add(
                "requested_hopping",
                1,
                .decimal(requests.hoppingMode),
                Self.hopping(requests.hoppingMode) + Self.answer(grants?.hopping)
            )
            add(
                "requested_slots",
                2,
                .decimal(requests.slotsPerRound),
                "in a ranging round" + Self.answer(grants?.slots)
            )
            add(
                "requested_slot_duration",
                2,
                .decimal(requests.slotDuration),
                Self.slot(timing) + Self.answer(grants?.slotDuration)
            )
            add(
                "requested_interval",
                2,
                .decimal(requests.interval),
                Self.interval(timing) + Self.answer(grants?.interval)
            )
        }
        add("uwb_extra", uwb.extra.count, .none, "of a later minor version")
    }

    private static func manufacturer(_ identifier: UInt32) -> String {
        switch identifier {
        case 0x0003_F53F: "Qorvo"
        case 0x0010_1132: "NXP"
        default: "the vendor's own"
        }
    }

    static func hopping(_ mode: UInt8) -> String {
        switch mode {
        case 0: "off"
        case 1: "on"
        default: "unknown"
        }
    }

    /// The length of a slot.
    static func slot(_ timing: RoundTiming) -> String {
        let milliseconds = Double(timing.slotDuration) / Double(RoundTiming.rstuPerMillisecond)
        return "RSTU: a slot of \(decimal(milliseconds)) ms, a round of \(decimal(timing.roundMilliseconds)) ms"
    }

    /// The length of an interval.
    static func interval(_ timing: RoundTiming) -> String {
        var text = "ms"
        if let rounds = timing.roundsPerInterval { text += ": \(rounds) rounds" }
        if let rate = timing.updateRate { text += ", \(Column.decimal(rate, 1)) Hz" }
        return text
    }

    /// A number with at most two decimals.
    private static func decimal(_ value: Double) -> String {
        var text = Column.decimal(value, 2)
        while text.last == "0" { text.removeLast() }
        if text.last == "." { text.removeLast() }
        return text
    }
}
