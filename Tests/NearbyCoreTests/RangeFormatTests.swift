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

    /// Payloads of every format, those that the others' rules come nearest to.
    private static let payloads: [(RangeFormat, String)] =
        RangeFormatRow.table.map { ($0.format, $0.sample) } + [
            (.json, #"{"peer":"a","distance":1}"#), (.json, #"{"position":{"x":1,"y":2,"z":3},"distance":1}"#),
            (.json, #"[{"timestamp":1,"distance":1,"tagId":"a","data":{}}]"#), (.json, #"{"configuration":{}}"#),
            (.json, #"{"present":true,"distance":1}"#), (.json, #"{"reports":[]}"#),
            (.qorvo, #"{"Block":0, "results":[{"Addr":"0xdc4c","Status":"Err"}]}"#),
            (.qorvo, #"[{"Addr":"0x0000","Status":"Ok","D_cm":61,"LFoM":0}]"#),
            (.qorvo, #"{"Session Stopped":"Inband Stop"}"#), (.qorvo, "SESSION_INFO_NTF: {session_handle=1"),
            (.pans, "POS,7.10,5.24,-2.03,53\r\n"), (.pans, "POS,0,022E,7.10,5.24,-2.03,53,x0A\r\n"),
            (.pans, "022E[7.94,8.03,0.00]=3.38 9280[7.95,0.00,0.00]=5.49 le_us=3082\r\n"), (.pans, "dwm> lec\r\n"),
            (.drtls, #"{"position":{"x":"NaN","y":"NaN","z":"NaN","quality":0},"superFrameNumber":7}"#),
            (.drtls, #"{"configuration":{"label":"DW0F07","nodeType":"ANCHOR","anchor":{"position":{"x":1}}}}"#),
            (.drtls, #"{"configuration":{"label":"DW0F08","nodeType":"TAG","tag":{}}}"#),
            (.pozyx, #"{"version":"1","alive":true,"tagId":"26449","success":false}"#),
            (
                .omlox,
                #"{"position":{"type":"Point","coordinates":[1,2]},"source":"z","provider_type":"uwb","provider_id":"a"}"#
            ),
            (.omlox, #"[{"provider_id":"a","source":"b","accuracy":1}]"#),
            (.espresense, #"{"id":"45:F6:8A:76:86:C5","rssi":-55,"distance":0.495572}"#),
            (.eliko, "$PEKIO,COORD,148,0x000810,18.78,4.10,0.91,,1607780734.22\r\n"),
            (.makerfabs, "T1,mask:F,seq:12,beacon:7,range:(120,98,0),ancid:(0,1,-1)\r\n"),
            (.makerfabs, "DIST: 3.21 m\r\n"), (.makerfabs, #"{"id":1,"range":[0,53,423,0,0,0,0,0]}"#),
            (.makerfabs, #"{"links":[{"A":"1782","R":"1.2"},{"A":"1783","R":"0.5"}]}"#),
            (.dw1000, "Range: 0.16 m\t RX power: -70.59 dBm\t Sampling: 2.09 Hz\r\n"),
            (.trek, "mr 0f 00000670 000005b0 00000520 000004d0 095f c1 40384038 t3:0\r\n"),
            (.uci, "62000038"),
        ]

    @Test(arguments: payloads)
    func `A payload looks like one format only`(_ format: RangeFormat, _ payload: String) {
        let bytes = [UInt8](payload.utf8)
        // JSON of any kind looks like the bridge's own, which is asked last.
        let found = RangeFormatRow.table.filter { row in
            (row.format != .json || format == .json) && row.looksLike(bytes.span)
        }
        #expect(found.map(\.format) == [format])
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
