// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What the bridge publishes besides, in the words of others.
public struct OutputOptions: Equatable, Sendable {
    /// Where distances are told to Home Assistant's `mqtt_room` sensors; `nil` for nowhere.
    public var roomTopic: String?
    /// The first levels of a hub's topics, to tell zone events as fence events of omlox; `nil` for nowhere.
    public var fencePrefix: String?

    /// Creates options that publish nothing.
    public init() {}
}
