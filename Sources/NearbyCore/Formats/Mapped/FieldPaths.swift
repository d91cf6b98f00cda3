// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Where in somebody else's JSON the fields of a report stand.
///
/// A path is keys joined by dots, from outside to inside; a part of digits also counts the elements of an array, from
/// 0. Paths are compiled once, so that reading a report by them needs no memory.
public struct FieldPaths: Equatable, Sendable {
    /// What a path can lead to.
    public enum Field: Int, CaseIterable, Sendable {
        /// Metres to the other end.
        case distance
        /// The other end.
        case peer
        /// Who measured, or whose position it is.
        case reporter
        /// Metres; `x` and `y` go together and exclude `distance`, `z` is 0 without a path.
        case x
        /// Metres.
        case y
        /// Metres.
        case z
        /// Degrees.
        case azimuth
        /// Degrees.
        case elevation
        /// 0 to 1.
        case quality
        /// dBm.
        case rssi
        /// Whether the path of the signal was obstructed.
        case nlos
        /// A counter.
        case sequence
        /// Seconds or milliseconds, or ISO 8601.
        case timestamp
        /// Whether the round succeeded.
        case status
    }

    /// What is wrong with a path, or with all of them.
    public struct Fault: Error, Equatable, Sendable {
        /// The kind of fault.
        public enum Reason: Sendable, CaseIterable {
            /// Nothing between two dots, before the first or behind the last.
            case emptyPart
            /// More than 16 parts.
            case tooDeep
            /// A part has more than 64 bytes.
            case tooLong
            /// Neither `distance` nor `x` and `y`.
            case nothingMeasured
            /// One of `x` and `y` without the other, or `z` without them.
            case incompletePosition
            /// Both `distance` and a position: a failure of one would pass for the other.
            case distanceAndPosition
            /// Words for success, but no path to a status.
            case wordsWithoutStatus
        }

        /// The field whose path it is; `nil` for `each`.
        public var field: Field?
        /// The kind of fault.
        public var reason: Reason
    }

    /// The deepest path, in parts.
    public static let maximumDepth = 16
    /// The longest part, in bytes.
    public static let maximumPart = 64

    /// One step of a path.
    private struct Part: Equatable {
        /// Its bytes in `keys`.
        var key: Range<Int>
        /// The element of an array that it may be; negative if it is a key only.
        var index: Int
    }

    /// The place that leads to the list, behind those of the fields.
    static let list = Field.allCases.count

    private var keys: [UInt8] = []
    private var parts: [Part] = []
    /// The parts of each path; none for what is not mapped.
    private var paths = [Range<Int>](repeating: 0..<0, count: list + 1)
    /// The paths that begin at an element of the list or, without a list, at the root; a bit each.
    private(set) var ofElement: UInt32 = 0
    /// The paths that begin at the root of a payload that has a list, that to the list among them; a bit each.
    private(set) var ofRoot: UInt32 = 0
    /// The words that mean success; none if the bridge's own are meant.
    let okWords: [String]
    /// Those of them that are numbers.
    let okNumbers: [Double]

    /// Compiles paths.
    ///
    /// - Parameters:
    ///   - each: The path of the array whose elements are the reports; `nil` if the payload is one, or a list of them.
    ///   - fields: The path of each field, from the element or, after `$.`, from the root of the payload.
    ///   - okWords: What a status must be for success: strings, numbers, `true` or `false`. Without any, the bridge's
    ///     own word `ok` and `true`.
    /// - Throws: The first fault of a path, or of what the paths are together.
    public init(each: String? = nil, fields: [Field: String], okWords: [String] = []) throws(Fault) {
        self.okWords = okWords
        okNumbers = okWords.compactMap { Double($0) }.filter(\.isFinite)
        if let each { try add(each, to: Self.list, of: nil) }
        for field in Field.allCases {
            if let path = fields[field] { try add(path, to: field.rawValue, of: field) }
        }
        if each == nil { (ofElement, ofRoot) = (ofElement | ofRoot, 0) }
        guard hasPosition || (!has(.x) && !has(.y) && !has(.z)) else {
            throw Fault(field: has(.x) ? .x : has(.y) ? .y : .z, reason: .incompletePosition)
        }
        guard has(.distance) || hasPosition else { throw Fault(field: .distance, reason: .nothingMeasured) }
        guard !has(.distance) || !hasPosition else { throw Fault(field: .x, reason: .distanceAndPosition) }
        guard okWords.isEmpty || has(.status) else { throw Fault(field: .status, reason: .wordsWithoutStatus) }
    }

    private mutating func add(_ path: String, to place: Int, of field: Field?) throws(Fault) {
        var rest = path[...]
        let isOfRoot = rest.hasPrefix("$.")
        if isOfRoot { rest = rest.dropFirst(2) }
        let first = parts.count
        for part in rest.split(separator: ".", omittingEmptySubsequences: false) {
            guard !part.isEmpty else { throw Fault(field: field, reason: .emptyPart) }
            guard part.utf8.count <= Self.maximumPart else { throw Fault(field: field, reason: .tooLong) }
            guard parts.count - first < Self.maximumDepth else { throw Fault(field: field, reason: .tooDeep) }
            let start = keys.count
            keys += part.utf8
            let isNumber = part.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
            parts.append(Part(key: start..<keys.count, index: isNumber ? Int(part) ?? -1 : -1))
        }
        paths[place] = first..<parts.count
        if isOfRoot || field == nil { ofRoot |= 1 << UInt32(place) } else { ofElement |= 1 << UInt32(place) }
    }

    /// Whether a field has a path.
    func has(_ field: Field) -> Bool { !paths[field.rawValue].isEmpty }

    /// Whether the reports are positions.
    var hasPosition: Bool { has(.x) && has(.y) }

    /// Whether the reports are the elements of a list within the payload.
    var hasList: Bool { !paths[Self.list].isEmpty }

    // MARK: Walking

    /// Those of the paths that go on with a key at a depth.
    func matching(_ candidates: UInt32, depth: Int, key: Span<UInt8>) -> UInt32 {
        var matches: UInt32 = 0
        var rest = candidates
        while rest != 0 {
            let place = rest.trailingZeroBitCount
            rest &= rest - 1
            let range = parts[paths[place].lowerBound + depth].key
            if Self.isEqual(key, keys.span.extracting(range)) { matches |= 1 << UInt32(place) }
        }
        return matches
    }

    /// Those of the paths that go on with the element of an array at a depth.
    func matching(_ candidates: UInt32, depth: Int, index: Int) -> UInt32 {
        var matches: UInt32 = 0
        var rest = candidates
        while rest != 0 {
            let place = rest.trailingZeroBitCount
            rest &= rest - 1
            if parts[paths[place].lowerBound + depth].index == index { matches |= 1 << UInt32(place) }
        }
        return matches
    }

    /// Those of the paths whose last part is at a depth.
    func ending(_ candidates: UInt32, depth: Int) -> UInt32 {
        var matches: UInt32 = 0
        var rest = candidates
        while rest != 0 {
            let place = rest.trailingZeroBitCount
            rest &= rest - 1
            if paths[place].count == depth + 1 { matches |= 1 << UInt32(place) }
        }
        return matches
    }

    private static func isEqual(_ bytes: Span<UInt8>, _ expected: Span<UInt8>) -> Bool {
        guard bytes.count == expected.count else { return false }
        for index in bytes.indices where bytes[index] != expected[index] { return false }
        return true
    }
}
