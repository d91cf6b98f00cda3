// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// What is wrong with the directions of zones: a sector is made of several values, which several levels may give.
extension ConfigurationCheck {
    mutating func checkSectors() {
        let zones = ConfigurationPath(["zones"])
        for zone in settings.names(in: zones) { checkSector([zones.appending(zone.text)]) }
        let section = ConfigurationPath(["accessories"])
        for accessory in settings.names(in: section) {
            let path = section.appending(accessory.text)
            checkSectors(below: path, [zones])
            let peers = path.appending("peers")
            for peer in settings.names(in: peers) {
                checkSectors(below: peers.appending(peer.text), [zones, path.appending("zones")])
            }
        }
    }

    private mutating func checkSectors(below path: ConfigurationPath, _ levels: [ConfigurationPath]) {
        let section = path.appending("zones")
        for zone in settings.names(in: section) {
            checkSector((levels + [section]).map { $0.appending(zone.text) })
        }
    }

    /// Checks a zone as the last of these levels leaves it; the most specific is the last.
    private mutating func checkSector(_ levels: [ConfigurationPath]) {
        guard let own = levels.last else { return }
        let keys = ["azimuth.from", "azimuth.to", "azimuth_hysteresis", "azimuth_quality"]
        let isReadable = levels.allSatisfy { level in
            !keys.contains { settings.isRefused(level.appending(key: $0)) }
        }
        let said = keys.compactMap { key in settings[own.appending(key: key)].map { (key: key, setting: $0) } }
        guard isReadable, let first = said.first else { return }
        let place = "\(own.appending(key: first.key))"
        switch (number("azimuth.from", levels), number("azimuth.to", levels)) {
        case (nil, nil):
            warn(place, first.setting.source, "the zone has no azimuth", "set azimuth.from and azimuth.to")
        case (nil, _): problem(place, first.setting.source, "there is no azimuth.from", "set both or neither")
        case (_, nil): problem(place, first.setting.source, "there is no azimuth.to", "set both or neither")
        case (let from?, let to?) where from == to:
            problem(
                place,
                first.setting.source,
                "nothing is from \(Decimals.short(from)) to there",
                "write from -180 to 180"
            )
        case (let from?, let to?):
            let sector = Sector(
                from: from,
                to: to,
                hysteresis: number("azimuth_hysteresis", levels) ?? Sector.defaultHysteresis
            )
            guard sector.exitLimits == nil, sector.width < 360 else { return }
            warn(place, first.setting.source, "no direction is outside of azimuth and hysteresis", "make one smaller")
        }
    }

    private func number(_ key: String, _ levels: [ConfigurationPath]) -> Double? {
        for level in levels.reversed() {
            if case .number(let number)? = settings[level.appending(key: key)]?.value { return number }
        }
        return nil
    }
}
