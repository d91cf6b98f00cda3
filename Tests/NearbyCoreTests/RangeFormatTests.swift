// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import Testing

@Suite struct RangeFormatTests {
    @Test func `Every format but auto has one row in the table`() {
        let formats = RangeFormatRow.table.map(\.format)
        #expect(Set(formats) == Set(RangeFormat.allCases).subtracting([.auto]))
        #expect(formats.count == Set(formats).count)
    }

    @Test(arguments: RangeFormatRow.table.map(\.format))
    func `The sample of a format is recognised as it and gives reports`(_ format: RangeFormat) throws {
        let row = try #require(RangeFormatRow.table.first { $0.format == format })
        #expect(!row.name.isEmpty && !row.units.isEmpty)
        let recognised = JSONDecoding(row.sample, format: .auto)
        let named = JSONDecoding(row.sample, format: format)
        #expect(!recognised.reports.isEmpty)
        #expect(recognised.reports == named.reports)
        #expect(recognised.errors.isEmpty)
    }

    @Test(arguments: RangeFormat.allCases)
    func `An empty payload is an error of that name in every format`(_ format: RangeFormat) {
        #expect(JSONDecoding("", format: format).errors == [ReportError(.empty, at: 0)])
    }

    @Test func `Blank is empty too`() {
        #expect(JSONDecoding(" \r\n\t", format: .auto).errors == [ReportError(.empty, at: 0)])
    }

    @Test(arguments: ["1.2", "  1.2", "null", "NaN", "\"a\"", "\u{FEFF}{}", "hello", "}", "\u{0}"])
    func `First bytes that no format knows are reported as such`(_ text: String) {
        #expect(JSONDecoding(text, format: .auto).errors == [ReportError(.unknownFormat, at: 0)])
        #expect(JSONDecoding(text, format: .json).errors == [ReportError(.unknownFormat, at: 0)])
    }

    @Test func `A finished cursor gives nothing more`() throws {
        let payload = [UInt8](#"{"distance":1}"#.utf8)
        var cursor = ReportCursor()
        var report = RangeReport()
        var hasReport = try RangeFormat.next(in: payload.span, at: &cursor, into: &report)
        #expect(hasReport && cursor.isFinished)
        hasReport = try RangeFormat.next(in: payload.span, at: &cursor, into: &report)
        #expect(!hasReport)
        hasReport = try JSONReport.next(in: payload.span, at: &cursor, into: &report)
        #expect(!hasReport)
    }

    @Test func `A cursor that is used with another payload gives a fault and no trap`() {
        for (first, second) in [
            ("[{\"distance\":1},{}]", "[]"), ("[{\"distance\":1},{}]", "[{\"distance\":1}x"), ("[{\"run\":1}]", ""),
        ] {
            var cursor = ReportCursor()
            var report = RangeReport()
            #expect(throws: Never.self) {
                try RangeFormat.next(in: [UInt8](first.utf8).span, at: &cursor, into: &report)
            }
            #expect(throws: ReportError.self) {
                try RangeFormat.next(in: [UInt8](second.utf8).span, at: &cursor, into: &report)
            }
            #expect(cursor.isFinished)
        }
    }
}
