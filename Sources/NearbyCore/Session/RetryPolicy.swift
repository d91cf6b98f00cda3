// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// The retry ladder: how often, after how long, and by which means a lost run is begun again.
///
/// | attempt | rung | wait before it |
/// |---|---|---|
/// | 1, 2, 3 | `rerun`: the cached configuration, new shareable configuration data | 1, 2, 4 s ± 20 % |
/// | 4 | `reinitialize`: stop, initialize, fresh configuration | 4 s ± 20 % |
/// | 5 | `newSession`: the session is invalidated and a new one made | 4 s ± 20 % |
///
/// CONTRACT section 6, reference/nearby-interaction.md section 5.
public struct RetryPolicy: Equatable, Sendable {
    /// The means of one attempt.
    public enum Rung: UInt8, Sendable, CaseIterable {
        /// The cached configuration with new shareable configuration data.
        case rerun
        /// Stop, initialize, and a fresh configuration.
        case reinitialize
        /// A new session from the beginning.
        case newSession
    }

    /// Attempts with the cached configuration.
    public var attempts = 3
    /// Waits before the attempts; the last one is used again for all that follow.
    public var backOff: [Duration] = [.seconds(1), .seconds(2), .seconds(4)]
    /// After the last attempt, one quiet start so often while the accessory is online; `nil` is never.
    public var idle: Duration? = .seconds(60)

    /// Creates the defaults of CONTRACT section 7.
    public init() {}

    /// Attempts in all.
    public var maximumAttempts: Int { attempts + 2 }

    /// The means of an attempt, counted from 1; `nil` once the ladder has ended.
    func rung(of attempt: Int) -> Rung? {
        if attempt <= attempts { return .rerun }
        if attempt == attempts + 1 { return .reinitialize }
        return attempt == attempts + 2 ? .newSession : nil
    }

    /// The wait before an attempt, counted from 1, with ± 20 % of chance so that many accessories do not march in step.
    func delay(before attempt: Int, using generator: inout some RandomNumberGenerator) -> Duration {
        guard let last = backOff.last else { return .zero }
        let base = attempt >= 1 && attempt <= backOff.count ? backOff[attempt - 1] : last
        return base * Double.random(in: 0.8...1.2, using: &generator)
    }
}
