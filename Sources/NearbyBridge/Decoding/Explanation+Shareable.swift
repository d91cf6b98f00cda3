// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

extension Explanation {
    /// Adds the fields of bare shareable configuration data (`reference/nearby-interaction.md` section 3).
    mutating func explainShareable(_ bytes: [UInt8]) throws(CodecError) {
        let data = try ShareableConfigurationData.decode(bytes.span)
        add("major_version", 2, .decimal(data.version.major))
        add("minor_version", 2, .decimal(data.version.minor))
        let trailing = data.trailing.bytes.count
        let length = data.encoded.count - trailing - ShareableConfigurationData.headerLength
        add("config_data_length", 1, .decimal(length), "bytes from here to the declared end")
        switch data.content {
        case .parsed(let fields): explain(fields)
        case .unparsed: add("unparsed", length, .none, "kept as it came, holds the key", isSecret: true)
        }
        let isSecret = data.parameters == nil
        add("trailing", trailing, .none, "behind the declared end, ignored", isSecret: isSecret)
        add(data.warnings)
    }

    private mutating func explain(_ fields: ShareableConfigurationData.Fields) {
        let parameters = fields.parameters
        let timing = parameters.timing
        add("country_code", 2, parameters.country.text.map { .text($0) } ?? .none, "regulatory")
        add("session_id", 4, .hexadecimal(parameters.sessionID))
        add("preamble", 1, .decimal(parameters.preamble), "code index")
        add("channel", 1, .decimal(parameters.channel))
        add("slots_per_round", 2, .decimal(timing.slotsPerRound))
        add("slot_duration", 2, .decimal(timing.slotDuration), Self.slot(timing))
        add("interval", 2, .decimal(timing.interval), Self.interval(timing))
        add("round_control", 1, .hexadecimal(parameters.roundControl), Self.control(parameters.roundControl))
        let key = parameters.stsIV.bytes
        add("sts_iv", key.count, .text(Hexadecimal.text(key.span)), "the key of the run", isSecret: true)
        add(
            "destination_address",
            2,
            .hexadecimal(parameters.destinationAddress.value),
            "the phone's short MAC address"
        )
        if fields.layout.hasClockDrift { add("clock_drift", 2, .decimal(parameters.clockDrift), "ppm at most") }
        add("reserved", fields.reserved.count, .none)
        if fields.layout.hasRequests {
            add("hopping", 1, .decimal(parameters.hoppingMode), Self.hopping(parameters.hoppingMode))
        }
        add("extra", fields.extra.bytes.count, .none, "of a later minor version", isSecret: true)
    }

    private static func control(_ byte: UInt8) -> String {
        switch byte {
        case 3: "time-scheduled"
        case 6: "contention-based"
        default: "unknown"
        }
    }
}
