// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What the configuration says of reports that somebody else publishes, on topics of his own.
///
/// A report there has two ends, one that moves and one that stands: a tag and an anchor. Which of the two is the
/// accessory, around which zones lie, is for the configuration to say.
public struct SourceOptions: Equatable, Sendable {
    /// Which end of a report is the accessory, where neither topic nor configuration names it.
    public enum Center: String, Sendable {
        /// The end that stands: a gate, a shelf, a room.
        case anchors
        /// The end that moves: a forklift, a person.
        case tags
    }

    /// The format of its payloads.
    public var format = RangeFormat.auto
    /// Where the fields of its JSON stand, if it is nobody's format; then `format` does not count.
    public var fields: FieldPaths?
    /// Metres for one unit of the payload's distances and coordinates, where it is not the format's own.
    public var scale = 1.0
    /// Which end is the accessory.
    public var center = Center.anchors
    /// The accessory of every report, if there is but one.
    public var accessory: String?
    /// The peer of every report, if there is but one.
    public var peer: String?
    /// What the bridge calls ends that topics and payloads call otherwise: by name, or by radio address.
    public var names: [String: String] = [:]
    /// Where anchors stand, in metres, by the name that the bridge has for them.
    ///
    /// A source that tells positions needs them, unless it tells them too.
    public var anchors: [String: SIMD3<Double>] = [:]
    /// Whether distances from positions leave heights out.
    public var isHorizontal = false
    /// Without a valid report for so long, its peers are lost; what the accessory or zone says goes first.
    public var lostAfter: Patience?
    /// Whether it speaks on change only.
    public var isByException = false

    /// Creates a source whose topics name the accessory.
    public init() {}
}
