// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What the speed gate of one accessory–peer knows: why it holds back what it holds back.
///
/// Times are filter time, distances metres.
public struct GateState: Equatable, Sendable {
    /// How far it has come.
    public enum Stage: UInt8, Sendable, CaseIterable {
        /// Nothing is known: the next distance is only a beginning.
        case empty
        /// A first distance waits for more that agree with it.
        case seeking
        /// A distance passes if it can be reached from the last one that passed.
        case locked
    }

    /// How far it has come.
    public var stage: Stage
    /// The last distance that passed; `nil` if none counts any more.
    public var passed: Double?
    /// How long ago that was.
    public var since: Duration?
    /// m/s that a distance may change; infinite if that is not limited.
    public var speed: Double
    /// Metres that it may jump besides.
    public var slack: Double
    /// Metres of change that can be reached by now.
    public var reach: Double
    /// The last distance that was held back; `nil` if one has passed since.
    public var rival: Double?
    /// For how long those held back have agreed with each other.
    public var rivalFor: Duration?
    /// Those held back are believed once they have agreed with each other for so long.
    public var takeover: Duration
}
