// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// How far the reports of one payload have been read.
///
/// One payload may hold many reports (CONTRACT section 3). A new cursor stands before the first of them; a cursor
/// belongs to one payload and to the format that began with it.
public struct ReportCursor: Sendable {
    /// What stands at the offset.
    enum Mode: UInt8, Sendable {
        /// The beginning of the payload.
        case start
        /// The first report of a list.
        case firstOfList
        /// A later report of a list, or its end.
        case restOfList
    }

    /// Whether nothing is left to read.
    public internal(set) var isFinished = false
    /// Where a packet or line begins that the payload does not end: what a stream brings next belongs to it.
    ///
    /// `nil` while everything was whole.
    public internal(set) var unfinishedTail: Int?
    /// Where the packet, line or object begins that the last report stood in.
    public internal(set) var reportOffset = 0
    /// A place within the packet or line at the offset, for formats with several measurements in one.
    var element = 0
    /// Where the packet or line at the offset ends.
    var elementEnd = 0
    /// What a packet or line says for all its measurements.
    var sequence: Int64?
    /// The same for its time, in nanoseconds.
    var timestamp: Int64?
    /// The same for who measured.
    var reporter = RangeReport.Peer.unnamed
    /// Where the values stand that a payload has for all reports of a list.
    var places = FieldPlaces()
    /// The next byte to read.
    var offset = 0
    /// What stands there.
    var mode = Mode.start
    /// The row of the table of formats that `RangeFormat` has chosen for the payload.
    var row: Int?

    /// Creates a cursor at the start of a payload.
    public init() {}
}
