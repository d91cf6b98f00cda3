// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What libyaml says when it gives up, before it is put into words for the reader of the error.
struct YAMLFault: Error {
    enum Stage {
        case memory
        case reader
        case grammar
    }

    var stage: Stage
    /// libyaml's own sentence, such as "did not find expected key".
    var problem: String
    /// What libyaml was doing, such as "while parsing a block mapping".
    var context: String?
    /// Where the fault is; only grammar faults know it.
    var position: YAMLPosition
    /// Where the thing began that could not be finished.
    var contextPosition: YAMLPosition
    /// The byte that could not be read; only reader faults know it.
    var byteOffset: Int

    /// The fault of a parser that could not even be created.
    static let noMemory = YAMLFault(
        stage: .memory,
        problem: "no memory",
        context: nil,
        position: YAMLPosition(line: 1, column: 1),
        contextPosition: YAMLPosition(line: 1, column: 1),
        byteOffset: 0
    )
}
