// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Who belongs together: people with their devices, accessories with their groups.
struct Occupancy: Sendable {
    /// What a choice is about.
    enum Subject: Sendable {
        /// Nothing: a place to be used again.
        case nothing
        /// Which device speaks for the person of this track.
        case carrier(Int)
        /// Which accessory of a group is the nearest of somebody.
        case accessory(group: Int, peer: String)
    }

    /// A choice in use.
    struct Choice: Sendable {
        var subject: Subject
        var choice: NearestChoice
        /// What was told last.
        var told = NearestState(accessory: nil, distance: nil, since: .distantPast)
        /// An awaited incumbent is given up then.
        var awaitedUntil: Instant?
    }

    /// The person of each device.
    private(set) var persons: [String: String] = [:]
    var groups: [Group] = []
    var places: [String: Int] = [:]
    var choices: [Choice] = []
    var freeChoices: [Int] = []
    /// Slot 2n is choice n, slot 2n+1 is the state of group n.
    var deadlines = DeadlineTable()
    /// What groups have counted is not true: it is counted anew when what was restored is settled.
    var isStale = false

    init() {}

    init(_ options: EngineOptions) {
        for (person, said) in options.people.sorted(by: { $0.key < $1.key }) {
            for device in said.peers where persons[device] == nil { persons[device] = person }
        }
        for (name, said) in options.groups.sorted(by: { $0.key < $1.key }) {
            places[name] = groups.count
            let zones = Array(repeating: GroupZone(), count: options.zones.count)
            var group = Group(identifier: name, options: said, zones: zones)
            group.shown = options.zoneSet(AccessoryOptions(), nil).zones.reduce(0) { $0 | 1 << UInt32($1.index) }
            if case .zone(let wanted)? = said.nearest?.reach {
                group.reach = options.zones.firstIndex { $0.name == wanted }
            }
            groups.append(group)
        }
    }

    /// The groups of an accessory.
    func groups(of accessory: String) -> [Int] {
        groups.indices.filter { groups[$0].options.members.contains(accessory) }
    }

    /// Takes a choice into use.
    mutating func add(_ choice: Choice) -> Int {
        guard let free = freeChoices.popLast() else {
            choices.append(choice)
            return choices.count - 1
        }
        choices[free] = choice
        return free
    }

    /// Lets a choice go.
    mutating func free(_ choice: Int) {
        choices[choice].subject = .nothing
        deadlines.set(nil, for: 2 * choice)
        freeChoices.append(choice)
    }
}
