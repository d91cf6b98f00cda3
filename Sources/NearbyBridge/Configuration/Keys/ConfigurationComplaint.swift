// nearby-bridge · SPDX-License-Identifier: Apache-2.0

internal import YAML

/// What is wrong with a value, before it is known whose value it is.
struct ConfigurationComplaint: Equatable {
    var message: String
    var fix: String
    /// Where in the text; an entry of a list has a line of its own.
    var position: YAMLPosition
}
