// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Why bytes are no UCI command that a session of Nearby Interaction needs; never with a value, which may be a secret.
public enum UCICommandError: Error, Hashable, Sendable {
    /// The packet ends before its fields do.
    case truncated
    /// The packet is a response, a notification or data.
    case notCommand(type: UInt8)
    /// A command of another purpose.
    case unknownCommand(group: UInt8, opcode: UInt8)
    /// Bytes stand behind the last field.
    case trailingBytes
    /// A session of another kind than ranging.
    case sessionType(UInt8)
    /// A parameter that is not among those known here.
    case unknownParameter(UInt8)
    /// A value of so many bytes, which is not what the parameter has.
    case wrongParameterLength(FiRaParameter, Int)
    /// A parameter stands twice.
    case duplicateParameter(FiRaParameter)
    /// A parameter is not there.
    case missingParameter(FiRaParameter)
    /// A parameter has a value that no session of Nearby Interaction has.
    case unexpectedValue(FiRaParameter)
}
