// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// Every pipeline that is compared.
///
/// Filters without a rule of their own get the zone's hysteresis.
enum PipelineTable {
    /// The bridge's own pipelines first, the configured one at the top if it is not the default.
    static func all(_ options: EngineOptions) -> [any Pipeline] {
        var table: [any Pipeline] = own(options)
        if options.smoothing != FilterOptions() {
            table.insert(
                EnginePipeline("configured", "smoothing as configured", options, smoothing: options.smoothing),
                at: 0
            )
        }
        return table + comparisonFilters + peerFilters + peerRules
    }

    /// The filters of the configuration, through the engine.
    private static func own(_ options: EngineOptions) -> [EnginePipeline] {
        func pipeline(
            _ name: String,
            _ source: String,
            _ filter: SmoothingOptions.Filter,
            _ change: (inout SmoothingOptions) -> Void = { _ in }
        ) -> EnginePipeline {
            var smoothing = SmoothingOptions()
            smoothing.filter = filter
            change(&smoothing)
            return EnginePipeline(name, source, options, smoothing: FilterOptions(smoothing))
        }
        return [
            pipeline("default", "smoothing: {filter: default}", .standard),
            pipeline("none, gate", "smoothing: {filter: none, gate_speed: 2.5, gate_slack: 0.3}", .none) {
                $0.gateSpeed = 2.5
                $0.gateSlack = 0.3
            },
            pipeline("none", "smoothing: {filter: none}", .none),
            pipeline("ema", "smoothing: {filter: ema}", .ema),
            pipeline("ema, timed", "smoothing: {filter: ema, time_constant: 300ms}", .ema) {
                $0.timeConstant = .milliseconds(300)
            },
            pipeline("median", "smoothing: {filter: median}", .median),
            pipeline("kalman", "smoothing: {filter: kalman}", .kalman),
            pipeline("one_euro", "smoothing: {filter: one_euro}", .oneEuro),
        ]
    }

    private static let hysteresis = ThresholdRule(exit: .exitRadius)

    /// Remedies from the books.
    private static var comparisonFilters: [any Pipeline] {
        [
            PeerPipeline(
                "Hampel",
                "textbook: 7 reports, 3 scaled median deviations",
                HampelFilter(count: 7, limit: 3),
                hysteresis
            ),
            PeerPipeline(
                "Kalman, gated",
                "textbook: 1 m/s², 0.1 m, believes 4 deviations, begins anew after 8 (uwb-reports.md 8.4)",
                GatedKalmanFilter(acceleration: 1, noise: 0.1, limit: 4, patience: 8),
                hysteresis
            ),
        ]
    }

    /// Filters that people have on their devices (uwb-reports.md 9).
    private static var peerFilters: [any Pipeline] {
        [
            PeerPipeline(
                "Apple α 0.3",
                "smoothing of Apple's Nearby Interaction sample (WWDC21)",
                ReportAverage(alpha: 0.3),
                hysteresis
            ),
            PeerPipeline(
                "Android median 3",
                "MedAvgFilter of Android's UWB service, window 3",
                ReportMedian(count: 3),
                hysteresis
            ),
            PeerPipeline(
                "Makerfabs mean 3",
                "fresh_link in link.cpp of Makerfabs' DW1000 examples",
                RecursiveMean(),
                hysteresis
            ),
            PeerPipeline(
                "thotro EMA 15",
                "filterValue in DW1000Ranging.cpp of thotro's library: α = 2/(15 + 1)",
                ReportAverage(alpha: 2.0 / 16),
                hysteresis
            ),
            PeerPipeline(
                "Bermuda",
                "bermuda_advert.py: 20 reports that only let nearer ones pull, nothing retreats faster than 3 m/s",
                OneSidedWindow(count: 20, maximumSpeed: 3),
                hysteresis
            ),
        ]
    }

    /// Rules for zones, each on distances as they are.
    private static var peerRules: [any Pipeline] {
        [
            PeerPipeline(
                "bare radius",
                "fences.c of OwnTracks Recorder: inside is what is nearer",
                NoFilter(),
                ThresholdRule(exit: .radius)
            ),
            PeerPipeline("bare hysteresis", "in below 1.5 m, out beyond 1.8 m, at once", NoFilter(), hysteresis),
            PeerPipeline(
                "Qorvo 40/120",
                "fira_niq.c of Qorvo's QANI: out at three times the radius",
                NoFilter(),
                ThresholdRule(exit: .ratio(3))
            ),
            PeerPipeline(
                "Frigate inertia",
                "tracked_object.py of Frigate: in after 3, soft; out at once",
                NoFilter(),
                CountRule(enterCount: 3, exitCount: 1, interruption: .countedDown)
            ),
            PeerPipeline(
                "Sewio counts",
                "Sewio \"Understanding Zone Parameters\": in 3, out 3, at most 2 s apart",
                NoFilter(),
                CountRule(enterCount: 3, exitCount: 3, interval: 2)
            ),
            PeerPipeline(
                "omlox tolerance",
                "DeepHub \"Fence Mechanism\": hysteresis as tolerance for 3 s, exit delay 1 s",
                NoFilter(),
                ToleranceRule(toleranceTimeout: 3, exitDelay: 1)
            ),
        ]
    }
}
