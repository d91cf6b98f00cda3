// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// What can be measured of a peer now, and what stands in the way of the rest.
public struct Guidance: Equatable, Sendable {
    /// Why something is not measured now.
    public enum Obstacle: String, Sendable, CaseIterable {
        /// The device cannot.
        case notSupported = "not_supported"
        /// The device can, but the other end is not in front of it.
        case outOfView = "out_of_view"
        /// Camera assistance has not come far enough.
        case notConverged = "not_converged"
        /// Reports come, and say nothing of it.
        case noMeasurement = "no_measurement"
        /// The session is not ranging.
        case session
        /// Reports have come, and do no more.
        case noReport = "no_report"
    }

    /// One kind of measurement.
    public struct Answer: Equatable, Sendable {
        /// What stands in the way; `nil` if it is measured.
        public var obstacle: Obstacle?
        /// What a person can do, if there is something to say.
        public var hint: String?

        /// It is measured.
        public static let available = Answer()

        /// Creates an answer.
        public init(_ obstacle: Obstacle? = nil, hint: String? = nil) {
            self.obstacle = obstacle
            self.hint = hint
        }

        /// Whether it is measured.
        public var isAvailable: Bool { obstacle == nil }
    }

    /// How far away the peer is.
    public var distance: Answer
    /// In which direction it is: a vector, an azimuth, or a horizontal angle.
    public var direction: Answer

    /// Creates guidance.
    public init(distance: Answer, direction: Answer) {
        self.distance = distance
        self.direction = direction
    }
}

extension Guidance {
    static let directionOutOfView = Answer(
        .outOfView,
        hint: "point the back of the phone at it: directions are measured in front of the camera only"
    )
    static let directionNotSupported = Answer(.notSupported, hint: "this device measures no directions")
    static let distanceNotSupported = Answer(.notSupported, hint: "this device measures no distances")

    /// A session that is not ranging.
    static func hinder(_ state: SessionState, _ reason: SessionReason?) -> Answer? {
        let hint: String
        switch state {
        case .idle, .external, .silent, .ranging: return nil
        case .suspended: hint = "the session is suspended: it goes on with accessory/resume"
        case .ended: hint = "the session is over: accessory/start begins it again"
        case .invalidated: hint = "the session is invalid: accessory/start begins a new one"
        case .awaitingAuthorization: hint = "somebody has to allow it first"
        case .retrying, .awaitingConfiguration, .configuring, .starting: hint = "the session is about to start: wait"
        }
        return Answer(.session, hint: reason?.hint ?? hint)
    }
}
