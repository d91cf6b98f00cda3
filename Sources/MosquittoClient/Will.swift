// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What the broker publishes for us when we vanish without a goodbye.
public struct Will: Sendable, Equatable {
    /// Where it is published; no wildcards.
    public var topic: String
    /// What is published.
    public var payload: [UInt8]
    /// How it is delivered.
    public var qualityOfService: QualityOfService
    /// Whether the broker keeps it for later subscribers.
    public var isRetained: Bool

    /// Makes a will.
    public init(
        topic: String,
        payload: [UInt8],
        qualityOfService: QualityOfService = .atLeastOnce,
        isRetained: Bool = true
    ) {
        self.topic = topic
        self.payload = payload
        self.qualityOfService = qualityOfService
        self.isRetained = isRetained
    }
}
