// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import TestSupport
import Testing

/// The code of the article `FromNISession`, with the library's public names only.
@Suite struct FromNISessionTests {
    private let now = Instant(nanoseconds: 0)

    /// The article's first block.
    private func session(
        _ bytes: [UInt8],
        _ generator: inout SeededGenerator
    ) throws -> (AccessorySession, [SessionOutput])? {
        let accessory = try AccessoryConfigurationData.decode(bytes.span)
        var session = AccessorySession()
        var outputs: [SessionOutput] = []
        let context = AccessorySession.Context()
        session.handle(
            .configuration(accessory, isRetained: false),
            at: now,
            context,
            using: &generator,
            into: &outputs
        )
        // Send it to the accessory.
        guard case .send(.configureAndStart(let shareable)) = outputs.first else { return nil }
        // Ranges come: the run is proved.
        session.handle(.range, at: now.advanced(by: .milliseconds(400)), context, using: &generator, into: &outputs)
        // Nothing comes for five seconds: it is lost, and tried again.
        session.advance(to: now.advanced(by: .seconds(6)), context, using: &generator, into: &outputs)
        #expect(shareable.encoded.count == 30)
        return (session, outputs)
    }

    /// The article's second block.
    private func zones(_ generator: inout SeededGenerator) -> [String] {
        var engine = BridgeEngine(options: EngineOptions(), using: &generator)
        var effects = EffectBuffer()
        engine.handle(.subscribed, at: now, into: &effects)
        guard let door = engine.accessory("door".utf8.span, at: now, into: &effects) else { return [] }
        for step in 0..<20 {
            let report = Array(#"{"distance":1.2}"#.utf8)
            engine.handleReport(
                report.span,
                from: door,
                at: now.advanced(by: .milliseconds(100 * step)),
                into: &effects
            )
        }
        let entered = effects.effects.compactMap { effect in
            if case .event(let event) = effect { event.zone } else { nil }
        }
        return entered
    }

    @Test func `the article's session is proved, lost and tried again`() throws {
        var generator = SeededGenerator(seed: 1)
        let (session, outputs) = try #require(try session(AccessoryFixtures.bytes(AccessoryFixtures.a1), &generator))
        #expect(session.state == .silent)
        #expect(outputs.contains(.event(.started(run: 1))))
        #expect(outputs.contains(.event(.timeout(run: 1, stage: .ranging))))
    }

    @Test func `the article's zones are entered from the outside in`() {
        var generator = SeededGenerator(seed: 1)
        #expect(zones(&generator) == ["near", "immediate"])
    }

    @Test func `the article shows this very code`() throws {
        func squeezed(_ text: some StringProtocol) -> String { String(text.filter { !$0.isWhitespace }) }
        let here = squeezed(try Fixtures.document("Tests/NearbyCoreTests/FromNISessionTests.swift"))
        let article = try Fixtures.document("Sources/NearbyCore/NearbyCore.docc/FromNISession.md")
        var blocks: [String] = []
        var isCode = false
        for line in article.split(separator: "\n") {
            if line.hasPrefix("```") {
                isCode.toggle()
                if isCode { blocks.append("") }
            } else if isCode {
                blocks[blocks.count - 1] += squeezed(line)
            }
        }
        #expect(blocks.count == 2)
        for block in blocks { #expect(here.contains(block), "\(block)") }
    }
}
