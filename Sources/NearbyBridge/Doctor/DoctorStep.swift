// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What one step of an examination found.
struct DoctorStep: Equatable, Sendable {
    /// How it went.
    enum Status: String, Sendable {
        /// It works.
        case ok
        /// It does not.
        case failed
        /// It could not be tried, or proves nothing here.
        case skipped
    }

    var status: Status
    /// The step in a word or two.
    var name: String
    /// What was found; of a failure what was wrong, where, and what to do.
    var text: String

    /// One line for people.
    var line: String {
        "\(Column.left(status.rawValue, 7))  \(Column.left(name, 22))  \(text)\n"
    }
}
