// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyCore

@Suite struct RangeFilterTests {
    private var filter = RangeFilter()

    private mutating func observe(
        _ distance: Double,
        at seconds: Double,
        _ options: FilterOptions = FilterOptions()
    ) -> RangeFilter.Outcome {
        filter.observe(distance, at: Int64((seconds * 1e9).rounded()), interval: 0.1, options: options)
    }

    @Test mutating func `the standard pipeline holds spikes back`() {
        #expect(observe(4, at: 0) == .distance(4, isConfirmed: false, isSeeded: true))
        #expect(observe(4, at: 0.1) == .distance(4, isConfirmed: false, isSeeded: false))
        #expect(observe(4, at: 0.5) == .distance(4, isConfirmed: true, isSeeded: false))
        #expect(observe(0.4, at: 0.6) == .rejected)
    }

    @Test mutating func `a beginning that time has proved needs no further distance`() {
        _ = observe(4, at: 0)
        #expect(filter.provedAt == nil)
        _ = observe(4, at: 0.1)
        #expect(filter.provedAt == 700_000_000)
        filter.settle()
        #expect(filter.provedAt == nil)
        #expect(observe(0.4, at: 0.6) == .rejected)
    }

    @Test mutating func `a series that takes over is a new beginning, but confirmed`() {
        for step in 0..<4 { _ = observe(9, at: Double(step) * 0.1) }
        for step in 4..<11 { #expect(observe(2, at: Double(step) * 0.1) == .rejected) }
        #expect(observe(2, at: 1.1) == .distance(2, isConfirmed: true, isSeeded: true))
    }

    @Test(arguments: [FilterOptions.Kind.none, .ema(alpha: 1), .oneEuro(minimumCutoff: 1e12, beta: 0)])
    mutating func `the other filters have no gate unless they are given one`(kind: FilterOptions.Kind) {
        _ = observe(9, at: 0, FilterOptions(kind: kind))
        guard case .distance(let value, true, false) = observe(1, at: 0.1, FilterOptions(kind: kind)) else {
            Issue.record("held back")
            return
        }
        #expect(abs(value - 1) < 1e-6)
        let gated = FilterOptions(kind: kind, gateSpeed: 2, gateSlack: 0.1)
        #expect(observe(9, at: 0.2, gated) == .rejected)
        #expect(observe(1.19, at: 0.2, gated) != .rejected)
    }

    @Test mutating func `resetting asks for a seed again`() {
        _ = observe(4, at: 0)
        _ = observe(4, at: 0.1)
        filter.reset()
        #expect(filter == RangeFilter())
        #expect(observe(4, at: 0.2) == .distance(4, isConfirmed: false, isSeeded: true))
    }

    @Test mutating func `motion and speed are those of the smoothing`() {
        for step in 0..<50 { _ = observe(9 - 0.1 * Double(step), at: Double(step) * 0.1) }
        #expect(filter.motion == .approaching)
        #expect(abs(filter.speed + 1) < 0.1)
    }
}
