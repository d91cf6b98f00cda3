// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Fields whose values are arrays of numbers.
///
/// One number that is `null` or not finite leaves the whole field absent.
extension JSONReportField {
    /// A direction: three components.
    static func decodeDirection(
        in payload: Span<UInt8>,
        at offset: inout Int,
        into report: inout RangeReport
    ) throws(ReportError) -> ReportError.Reason? {
        var numbers = InlineArray<3, Double>(repeating: 0)
        guard let found = try read(in: payload, at: &offset, into: &numbers), found.count == 3 else {
            return .invalidValue
        }
        report.direction = found.isComplete ? narrowed(numbers[0], numbers[1], numbers[2]) : nil
        return nil
    }

    /// Where the reporter is: two or three metres.
    static func decodePosition(
        in payload: Span<UInt8>,
        at offset: inout Int,
        into report: inout RangeReport
    ) throws(ReportError) -> ReportError.Reason? {
        var numbers = InlineArray<3, Double>(repeating: 0)
        guard let found = try read(in: payload, at: &offset, into: &numbers), found.count >= 2 else {
            return .invalidValue
        }
        guard found.isComplete else { return nil }
        for index in numbers.indices where numbers[index].magnitude >= Coordinates.farthest { return .invalidValue }
        report.position = SIMD3(numbers[0], numbers[1], numbers[2])
        report.isHorizontal = found.count == 2
        return nil
    }

    /// Where the peer is in the phone's world: three metres.
    static func decodeWorldPosition(
        in payload: Span<UInt8>,
        at offset: inout Int,
        into report: inout RangeReport
    ) throws(ReportError) -> ReportError.Reason? {
        var numbers = InlineArray<3, Double>(repeating: 0)
        guard let found = try read(in: payload, at: &offset, into: &numbers), found.count == 3 else {
            return .invalidValue
        }
        if found.isComplete { report.worldPosition = narrowed(numbers[0], numbers[1], numbers[2]) }
        return nil
    }

    /// The peer's transform in the phone's world: four columns of four numbers, of which the last is its place.
    static func decodeWorldTransform(
        in payload: Span<UInt8>,
        at offset: inout Int,
        into report: inout RangeReport
    ) throws(ReportError) -> ReportError.Reason? {
        var numbers = InlineArray<16, Double>(repeating: 0)
        guard let found = try read(in: payload, at: &offset, into: &numbers), found.count == 16 else {
            return .invalidValue
        }
        // Whoever gives the place as well means that.
        guard found.isComplete, report.worldPosition == nil else { return nil }
        report.worldPosition = narrowed(numbers[12], numbers[13], numbers[14])
        return nil
    }

    /// Three numbers as `Float`, `nil` if one does not fit.
    private static func narrowed(_ x: Double, _ y: Double, _ z: Double) -> SIMD3<Float>? {
        let vector = SIMD3(Float(x), Float(y), Float(z))
        return vector.x.isFinite && vector.y.isFinite && vector.z.isFinite ? vector : nil
    }

    /// Reads an array of numbers, for which there is only so much room.
    ///
    /// - Returns: How many there are and whether all of them are known; `nil` if it is no such array.
    private static func read<let capacity: Int>(
        in payload: Span<UInt8>,
        at offset: inout Int,
        into numbers: inout InlineArray<capacity, Double>
    ) throws(ReportError) -> (count: Int, isComplete: Bool)? {
        guard JSONScanner.peek(in: payload, at: offset) == UInt8(ascii: "[") else { return nil }
        offset += 1
        var isFirst = true
        var isComplete = true
        var count = 0
        while try JSONScanner.nextElement(in: payload, at: &offset, isFirst: &isFirst) {
            guard count < capacity else { return nil }
            if let literal = try JSONScanner.literal(in: payload, at: &offset) {
                guard literal != .true, literal != .false else { return nil }
                isComplete = false
            } else {
                guard let number = try number(in: payload, at: &offset) else { return nil }
                numbers[count] = number.value(in: payload)
                isComplete = isComplete && numbers[count].isFinite
            }
            count += 1
        }
        return (count, isComplete)
    }
}
