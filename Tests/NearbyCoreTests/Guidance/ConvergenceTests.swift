// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyCore

@Suite struct ConvergenceTests {
    @Test(
        "Each reason has a hint in plain words",
        arguments: [
            ("insufficient_horizontal_sweep", "sweep the phone left and right"),
            ("insufficient_vertical_sweep", "sweep the phone up and down"),
            ("insufficient_movement", "walk a few steps with the phone in the hand"),
            ("insufficient_lighting", "more light: it is too dark for the camera"),
            ("insufficient_signal_strength", "go nearer or clear the way: the signal is too weak"),
        ]
    )
    func hints(_ word: String, _ hint: String) throws {
        let convergence = try #require(Convergence(status: "not_converged", reasons: [word]))
        #expect(convergence.words == [word])
        #expect(convergence.others.isEmpty)
        #expect(convergence.hint == hint)
    }

    @Test("Several hints come together, none where nothing is missing or nobody can say")
    func hint() {
        let both = Convergence(status: .notConverged, reasons: [.insufficientLighting, .insufficientMovement])
        #expect(both.hint == "walk a few steps with the phone in the hand; more light: it is too dark for the camera")
        #expect(Convergence(status: .converged, reasons: .insufficientLighting).hint == nil)
        #expect(Convergence(status: .unknown).hint == nil)
        #expect(Convergence(status: .notConverged, others: ["later"]).hint == nil)
        #expect(Convergence(status: .notConverged).hint == "move the phone about, its camera free")
    }

    @Test("A missing sweep up and down hinders the vertical estimate alone")
    func vertical() {
        #expect(!Convergence(status: .notConverged, reasons: .insufficientVerticalSweep).hindersDirection)
        let more: Convergence.Reasons = [.insufficientVerticalSweep, .insufficientLighting]
        #expect(Convergence(status: .notConverged, reasons: more).hindersDirection)
        #expect(Convergence(status: .notConverged).hindersDirection)
        #expect(!Convergence(status: .unknown, reasons: .insufficientLighting).hindersDirection)
        #expect(!Convergence(status: .converged).hindersDirection)
    }

    @Test("What was written is read back, whoever has changed it meanwhile")
    func words() {
        let others = (0..<12).map { "later_\(String(repeating: "x", count: $0))" }
        let words = others + ["insufficient_lighting", "Loud", "later_"]
        let read = Convergence(status: "unknown", reasons: words)
        #expect(read?.reasons == .insufficientLighting)
        #expect(read?.others == others.prefix(8).sorted())
        #expect(Convergence(status: "nearly", reasons: []) == nil)
    }
}
