// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Whether a session needs a person's permission before anything ranges (configuration key `session.authorization`).
public enum Authorization: String, Sendable, CaseIterable {
    /// Whoever has joined may range.
    case open
    /// Nothing ranges before a grant.
    case ask
}
