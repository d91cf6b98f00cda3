// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// An angle of arrival as UCI has it.
public struct UCIAngle: Equatable, Sendable {
    /// In 1/128 degrees.
    public var value: Int16
    /// Its figure of merit: 1…100 %, 0 where there is no usable angle.
    public var merit: UInt8

    /// Degrees, `nil` where there is no usable angle.
    public var degrees: Float? { merit > 0 ? Float(value) / 128 : nil }

    /// Reads the next three octets of a message, `nil` if it ends before.
    public init?(_ reader: inout UCIReader, _ payload: Span<UInt8>) {
        guard let value = reader.integer(Int16.self, payload), let merit = reader.next(payload) else { return nil }
        self.value = value
        self.merit = merit
    }
}
