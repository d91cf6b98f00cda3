// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// The coordinates of a position while they are being read, in metres.
struct Coordinates {
    /// No system of coordinates that is counted in metres reaches so far on Earth.
    static let farthest = 1e8

    /// To the right or east; `nil` if it is not known, as the others.
    var x: Double?
    /// To the front or north.
    var y: Double?
    /// Upwards.
    var z: Double?

    /// Puts the position into a report, or that there is none: one coordinate that is not known is enough for that.
    func give(to report: inout RangeReport, at offset: Int) throws(ReportError) {
        guard let x, let y, let z else {
            if report.status == .ok { report.status = .error }
            return
        }
        let position = SIMD3(x, y, z)
        guard x.magnitude < Self.farthest, y.magnitude < Self.farthest, z.magnitude < Self.farthest else {
            throw ReportError(.invalidValue, at: offset)
        }
        if report.status == .ok { report.position = position }
    }

    /// Reads three numbers with commas between, as lines have them.
    init(in line: Span<UInt8>, at offset: inout Int) throws(ReportError) {
        x = try SerialLine.decimal(in: line, at: &offset)
        try SerialLine.expect(",", in: line, at: &offset)
        y = try SerialLine.decimal(in: line, at: &offset)
        try SerialLine.expect(",", in: line, at: &offset)
        z = try SerialLine.decimal(in: line, at: &offset)
    }

    /// Starts with nothing known.
    init() {}
}

extension SIMD3<Double> {
    /// Metres to another position, heights left out or not.
    func metres(to other: Self, isHorizontal: Bool) -> Double {
        var offset = self - other
        if isHorizontal { offset.z = 0 }
        return (offset * offset).sum().squareRoot()
    }
}
