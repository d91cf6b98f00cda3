// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What a file to replay is, by its beginning.
enum RecordedFile: Equatable {
    /// What `record` wrote.
    case recording
    /// Comma-separated values.
    case walk
    /// What a device printed or sent.
    case log

    /// Looks at a file's first line; one whose format was named is a log in any case.
    init(_ bytes: [UInt8], isNamed: Bool) {
        if isNamed {
            self = .log
        } else if Recording.isOne(bytes) {
            self = .recording
        } else {
            self = Walk.isOne(bytes) ? .walk : .log
        }
    }
}
