// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Accessories that belong together: a fleet, an exhibition, the shelves of a shop.
public struct GroupOptions: Equatable, Sendable {
    /// Who belongs to it.
    public enum Members: Equatable, Sendable {
        /// Every accessory.
        case all
        /// Those with these identifiers, whenever they join.
        case listed(Set<String>)

        /// Whether an accessory is one of them.
        func contains(_ accessory: String) -> Bool {
            switch self {
            case .all: true
            case .listed(let names): names.contains(accessory)
            }
        }
    }

    /// For people; by default the identifier.
    public var name: String?
    /// Who belongs to it.
    public var members: Members
    /// How the nearest accessory of each peer is chosen; `nil` if it is not.
    public var nearest: NearestOptions?

    /// Creates a group.
    public init(name: String? = nil, members: Members, nearest: NearestOptions? = nil) {
        self.name = name
        self.members = members
        self.nearest = nearest
    }
}
