// nearby-bridge · SPDX-License-Identifier: Apache-2.0

extension ConfigurationKey {
    /// How minted runs are timed; without a value it is the accessory's request that counts, if it can make one.
    static let rounds: [ConfigurationKey] = [
        .init(
            "session.slots",
            .integer(6...255),
            "Slots in a round; default what the accessory asks for, or 6.",
            .live
        ),
        .init(
            "session.slot_duration",
            .integer(2400...64_800),
            "Length of a slot in RSTU, a multiple of 1200; default what the accessory asks for, or 3600.",
            .live
        ),
        .init(
            "session.interval",
            .duration(.milliseconds(12)...(.milliseconds(65_535)), .always),
            "From one round to the next, in whole rounds; default what the accessory asks for, or by its rate.",
            .live
        ),
        .init("session.hopping", .boolean, "Hopping between rounds; default what the accessory asks for.", .live),
    ]
}
