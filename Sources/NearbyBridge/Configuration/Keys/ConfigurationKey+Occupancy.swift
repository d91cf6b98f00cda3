// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// The keys of people and groups.
extension ConfigurationKey {
    static let occupancy: [ConfigurationKey] = people + groups

    private static let people: [ConfigurationKey] = [
        .init("people.*.name", .text(.line), "Name for people; default the identifier.", .live),
        .init("people.*.peers", .list(.text(.identifier)), "What the person carries, by the names in topics.", .live),
        .init(
            "people.*.presence",
            .choice(PersonOptions.Presence.allCases.map(\.rawValue)),
            default: "any",
            "Inside while any of these peers is, only while all are that are heard, or with the nearest.",
            .live
        ),
    ]

    private static let groups: [ConfigurationKey] = [
        .init(
            "groups.*",
            .list(.text(.member)),
            "Accessories that belong together, * for all; or a section with the keys below.",
            .live
        ),
        .init("groups.*.accessories", .list(.text(.member)), "The same, beside other keys.", .live),
        .init("groups.*.name", .text(.line), "Name for people; default the identifier.", .live),
        .init(
            "groups.*.nearest",
            .boolean,
            "Tell which accessory is the nearest of each named peer; default false, true with a key below it.",
            .live
        ),
        .init(
            "groups.*.nearest.margin",
            .number(.zeroToKilometre),
            default: "0.5",
            "By how many metres another must be nearer.",
            .live
        ),
        .init(
            "groups.*.nearest.hold",
            .duration(.zero...(.seconds(600)), .always),
            default: "2s",
            "For how long it must be so.",
            .live
        ),
        .init(
            "groups.*.nearest.within",
            .number(.metresAboveZero),
            "Farther than this nothing is near; default any distance.",
            .live
        ),
        .init("groups.*.nearest.zone", .text(.zone), "Or: only who is inside this zone is near.", .live),
    ]
}
