// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Filter time: how much time truly passed between two reports of one peer.
///
/// Reports may arrive in bursts or after a stall; the device's own timestamp says when they were measured, so it
/// drives the filters as long as it behaves like a clock (CONTRACT section 3). When it jumps, stands still or is
/// absent, the receive time takes over for that step.
struct ReportClock: Sendable {
    /// What a report's place in time says about it.
    enum Verdict: Equatable, Sendable {
        /// Newer than the last one, by so many nanoseconds of filter time.
        case advanced(Int64)
        /// The same report once more.
        case duplicate
        /// Older than one already used.
        case late
    }

    /// Older than this counts as a restarted device, not as a late report (nanoseconds).
    static let lateWindow: Int64 = 5_000_000_000
    /// So far ahead of the best-known offset means that the device's clock jumped (nanoseconds).
    static let jumpTolerance: Int64 = 2_000_000_000
    /// No radio ranges twice within so little time (nanoseconds).
    static let sameMoment: Int64 = 2_000_000
    /// Counters this little behind are late; farther behind is a restart.
    static let lateSequences: Int64 = 16
    /// So many old reports in rising order are a restarted device.
    static let restartProof: UInt8 = 3

    private var lastReceive: Int64 = 0
    private var lastDevice: Int64 = 0
    /// The least `receive - device` seen: the delay-free offset between the clocks.
    private var baseline: Int64 = 0
    private var lastSequence: Int64 = 0
    private var lastDistance: Double = .nan
    private var lateMark: Int64 = .min
    private var lateRun: UInt8 = 0
    private var hasStarted = false
    private var hasDevice = false
    private var hasSequence = false
    /// The device's stamps do not resolve single reports (whole seconds, for example): receive time is better.
    private var isCoarse = false

    /// Places a report in time, and moves on unless it is a duplicate or late.
    mutating func observe(_ report: borrowing RangeReport, at now: Instant) -> Verdict {
        let receive = now.nanoseconds
        guard hasStarted else {
            restart(report, receive)
            return .advanced(0)
        }
        let received = max(0, Instant(nanoseconds: lastReceive).nanoseconds(to: now))
        if isDuplicate(report, after: received) { return .duplicate }
        if isOld(report) {
            guard !provesRestart(report) else {
                restart(report, receive)
                return .advanced(received)
            }
            return .late
        }
        lateRun = 0
        let step = deviceStep(report.timestamp, receive, received)
        lastReceive = receive
        remember(report)
        return .advanced(step ?? received)
    }

    private mutating func restart(_ report: borrowing RangeReport, _ receive: Int64) {
        hasStarted = true
        lastReceive = receive
        hasDevice = false
        hasSequence = false
        isCoarse = false
        lateRun = 0
        if let device = report.timestamp { adopt(device, receive) }
        remember(report)
    }

    private mutating func remember(_ report: borrowing RangeReport) {
        if let sequence = report.sequence {
            lastSequence = sequence
            hasSequence = true
        }
        lastDistance = report.distance ?? .nan
    }

    private mutating func adopt(_ device: Int64, _ receive: Int64) {
        lastDevice = device
        baseline = receive.subtractingReportingOverflow(device).partialValue
        hasDevice = true
    }

    /// The same stamp or counter with the same distance: a second delivery, not a second measurement.
    ///
    /// Without either, the same distance at the same moment: a gross error that came twice must not confirm itself.
    private func isDuplicate(_ report: borrowing RangeReport, after received: Int64) -> Bool {
        guard let distance = report.distance, distance == lastDistance else { return false }
        switch (hasDevice ? report.timestamp : nil, hasSequence ? report.sequence : nil) {
        case (let device?, let sequence?): return device == lastDevice && sequence == lastSequence
        case (let device?, nil): return device == lastDevice && !isCoarse
        case (nil, let sequence?): return sequence == lastSequence
        case (nil, nil):
            guard report.timestamp == nil, report.sequence == nil else { return false }
            return received < Self.sameMoment
        }
    }

    private func isOld(_ report: borrowing RangeReport) -> Bool {
        if hasDevice, let device = report.timestamp {
            let (behind, overflow) = lastDevice.subtractingReportingOverflow(device)
            return !overflow && behind > 0 && behind < Self.lateWindow
        }
        if hasSequence, let sequence = report.sequence {
            let (behind, overflow) = lastSequence.subtractingReportingOverflow(sequence)
            return !overflow && behind > 0 && behind <= Self.lateSequences
        }
        return false
    }

    /// Old reports that keep rising come from a device that began to count anew.
    private mutating func provesRestart(_ report: borrowing RangeReport) -> Bool {
        var mark: Int64 = 0
        if let timestamp = report.timestamp {
            mark = timestamp
        } else if let sequence = report.sequence {
            mark = sequence
        }
        lateRun = lateRun > 0 && mark > lateMark ? lateRun + 1 : 1
        lateMark = mark
        return lateRun >= Self.restartProof
    }

    /// The step of the device's clock, or `nil` where only the receive time can be trusted.
    private mutating func deviceStep(_ timestamp: Int64?, _ receive: Int64, _ received: Int64) -> Int64? {
        guard let device = timestamp else {
            hasDevice = false
            return nil
        }
        guard hasDevice, !isCoarse else {
            adopt(device, receive)
            return nil
        }
        let (step, overflow) = device.subtractingReportingOverflow(lastDevice)
        let (offset, overflow2) = receive.subtractingReportingOverflow(device)
        // A crystal may drift: 500 parts per million of the time that passed.
        let drifted = baseline.addingReportingOverflow(received / 2000).partialValue
        let (ahead, overflow3) = drifted.subtractingReportingOverflow(offset)
        guard !overflow, !overflow2, !overflow3, step >= 0, ahead < Self.jumpTolerance else {
            adopt(device, receive)
            return nil
        }
        if step == 0 {
            isCoarse = received > 20_000_000
            return nil
        }
        lastDevice = device
        baseline = min(drifted, offset)
        return step
    }
}
