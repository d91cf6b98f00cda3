// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// Why a sector is what it is: of distance and direction, what stands in the way.
extension ZoneExplanationText {
    /// A shorter lack of an angle is nothing to tell of.
    private static let leastLack = Duration.seconds(1)

    func inSector(_ sector: Sector, _ distance: Double, _ rules: ZoneExplanation.Rules) -> String {
        zone.state == .inside ? staying(sector, distance, rules) : coming(sector, distance, rules)
    }

    private func staying(_ sector: Sector, _ distance: Double, _ rules: ZoneExplanation.Rules) -> String {
        let text = ExplanationWords.metres(distance) + measured
        guard distance <= rules.exitRadius else {
            return "\(text) is beyond \(ExplanationWords.metres(rules.exitRadius))" + pending("leaves", rules.exitHold)
        }
        if let azimuth = zone.azimuth, zone.hasAngle, let limits = sector.exitLimits, sector.isLeft(by: azimuth) {
            let outside = ExplanationWords.sector(limits.from, limits.to)
            return "\(ExplanationWords.degrees(azimuth)) is outside \(outside)" + pending("leaves", rules.exitHold)
        }
        let near = "\(text) is not beyond \(ExplanationWords.metres(rules.exitRadius))"
        if let lack = zone.angleSilence, !zone.hasAngle, lack >= Self.leastLack {
            return "\(near), but no angle that counts has come for \(ExplanationWords.seconds(lack))"
                + (angleLostAt(lack).map { "; lost at \($0)" } ?? "; it is never lost")
        }
        let seen = zone.azimuth.map { " and \(ExplanationWords.degrees($0)) is not outside" } ?? ""
        return "\(near)\(seen); \(Self.leaving(rules))"
    }

    private func coming(_ sector: Sector, _ distance: Double, _ rules: ZoneExplanation.Rules) -> String {
        let text = ExplanationWords.metres(distance) + measured
        let radius = ExplanationWords.metres(rules.radius)
        guard distance < rules.radius else { return "\(text) is not below \(radius); \(Self.entering(rules))" }
        guard let azimuth = zone.azimuth, zone.hasAngle else {
            let percent = Column.decimal(sector.quality, 0)
            return
                "\(text) is below \(radius), but the last report has no angle, or one of less than \(percent) % merit; "
                + Self.entering(rules) + waiting(rules)
        }
        let degrees = ExplanationWords.degrees(azimuth)
        let within = ExplanationWords.sector(sector.from, sector.to)
        guard sector.mayBeEntered(from: azimuth) else {
            return "\(text) is below \(radius), but \(degrees) is not within \(within); \(Self.entering(rules))"
        }
        let both = "\(text) is below \(radius) and \(degrees) is within \(within)"
        if let held = zone.held, held >= rules.enterHold {
            return "\(both); enters once the zones around it are entered"
        }
        return both + pending("enters", rules.enterHold)
    }

    /// After how much time without an angle the sector is lost.
    private func angleLostAt(_ lack: Duration) -> String? {
        zone.lostAt.map { ExplanationWords.seconds(lack + zone.at.duration(to: $0)) }
    }
}
