// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What people decided about accessories while the bridge ran; the configuration's list comes on top.
public struct Membership: Equatable, Sendable {
    /// Who may join although `join: approve` lets nobody in; everybody who ever joined is among them.
    public var approved: Set<String> = []
    /// Who may not join, whatever the configuration says.
    public var blocked: Set<String> = []

    /// Who may range where that must be allowed: for each accessory its peers by name, itself under the empty one, and
    /// until which Unix time in milliseconds; `Int64.max` is for ever.
    public var grants: [String: [String: Int64]] = [:]

    /// Creates one in which nothing was decided.
    public init() {}
}

/// An accessory that would like to join.
public struct Candidate: Equatable, Sendable {
    /// Its identifier.
    public var identifier: String
    /// When it was noticed first.
    public var since: Instant
}
