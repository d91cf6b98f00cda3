// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import MosquittoClient
import NearbyCore

/// Tries every class of topics that a bridge uses.
///
/// May this user read and write there?
///
/// With MQTT 5 a broker says what it refuses. Where it does not say (MQTT 3.1.1; mosquitto's ACL lets everybody
/// subscribe and then delivers nothing), only a message that comes back proves that both are allowed.
struct TopicExamination {
    let topics: TopicScheme
    let connection: BriefConnection
    let doctor: Doctor
    let token: String
    /// Whether we can write to ourselves: what was sent before that has come back by then, or never will.
    private var hasSentinel = false

    init(topics: TopicScheme, connection: BriefConnection, doctor: Doctor, token: String) {
        self.topics = topics
        self.connection = connection
        self.doctor = doctor
        self.token = token
    }

    private var name: String { "doctor-\(token.prefix(8))" }

    /// Tries all of them; a broker that hangs up ends it.
    mutating func run() {
        do throws(MosquittoError) {
            var kept: [String: [UInt8]] = [:]
            connection.onMessage = { message in
                if message.isRetained { kept[message.topic] = message.payload }
            }
            connection.allow(doctor.patience)
            _ = try connection.subscribe([topics.bridgeInfo, topics.bridgeHealth, topics.bridgeAccessories])
            let isAlive = try askBridge()
            let hasGroups = !doctor.options.engine.groups.isEmpty
            let hasRadios = doctor.options.engine.accessories.values.contains {
                $0.peers.values.contains(where: \.isRadio)
            }
            let trials = TopicTrial.all(
                topics,
                name: name,
                token: token,
                kept: kept,
                hasGroups: hasGroups,
                hasRadios: hasRadios
            )
            for trial in trials {
                guard try carryOut(trial, whileAlive: isAlive) else { return }
            }
        } catch {
            doctor.tell(.failed, "topics", "the broker ended the connection: \(error.detail)")
        }
    }

    private func askBridge() throws(MosquittoError) -> Bool {
        let question = HealthQuestion(topics: topics, token: token, patience: min(doctor.patience, .seconds(2)))
        switch try question.ask(over: connection) {
        case .alive(let data):
            doctor.tell(.ok, "bridge", HealthCommand.line(data))
            return true
        case .silent(let why):
            doctor.tell(.skipped, "bridge", why)
            return false
        }
    }

    /// Tries one; false if the broker hung up.
    private mutating func carryOut(_ trial: TopicTrial, whileAlive isAlive: Bool) throws(MosquittoError) -> Bool {
        do throws(MosquittoError) {
            connection.allow(doctor.patience)
            let (status, text) = try verdict(on: trial, whileAlive: isAlive)
            doctor.tell(status, "topic", text)
            return true
        } catch {
            doctor.tell(
                .failed,
                "topic",
                "\(trial.filter): the broker ended the connection (\(error.detail)); may this user use it?"
            )
            return false
        }
    }

    private mutating func verdict(
        on trial: TopicTrial,
        whileAlive isAlive: Bool
    ) throws(MosquittoError) -> (DoctorStep.Status, String) {
        // Only written, and the broker will say whether it is allowed.
        guard trial.isRead || !doctor.speaksFive else {
            return try isRefused(trial) ? refusedWrite(trial) : (.ok, "\(trial.filter) may be written")
        }
        let granted = try connection.subscribe([trial.filter], qualityOfService: .atMostOnce)
        if trial.isRead, let code = granted.first, code >= 128 {
            return (.failed, "\(trial.filter): the broker refuses the subscription; allow this user to read it")
        }
        if trial.isHeard, isAlive {
            return (.skipped, "\(trial.filter): subscribed; not tried further, because a bridge is alive")
        }
        if try comesBack(trial) {
            let use = trial.isRead ? (trial.isWritten ? "read and written" : "read") : "written"
            return (.ok, "\(trial.filter) may be \(use)")
        }
        return try explainSilence(trial)
    }

    private func explainSilence(_ trial: TopicTrial) throws(MosquittoError) -> (DoctorStep.Status, String) {
        guard doctor.speaksFive else {
            if trial.isRead, trial.isWritten {
                return (
                    .failed, "\(trial.filter): what was sent did not come back; allow this user to read and write it"
                )
            }
            return (.skipped, "\(trial.filter): not known; with MQTT 3.1.1 this broker does not say")
        }
        if try isRefused(trial) {
            guard trial.isWritten else {
                return (.skipped, "\(trial.filter): subscribed; cannot be tried, because this user may not write there")
            }
            return refusedWrite(trial)
        }
        return (.failed, "\(trial.filter): nothing comes of what is written there; allow this user to read it")
    }

    private func refusedWrite(_ trial: TopicTrial) -> (DoctorStep.Status, String) {
        (.failed, "\(trial.filter): the broker refuses what is published; allow this user to write it")
    }

    /// Whether the broker refuses a message there, in words of MQTT 5.
    private func isRefused(_ trial: TopicTrial) throws(MosquittoError) -> Bool {
        // Never kept for a bridge that is away for now.
        try connection.publish(trial.payload, to: trial.topic, messageExpiry: 1) >= 128
    }

    /// Whether a message that is sent there comes back to us.
    ///
    /// At level 0: nobody keeps it for a bridge that is away.
    private mutating func comesBack(_ trial: TopicTrial) throws(MosquittoError) -> Bool {
        var isBack = false
        connection.onMessage = { message in
            if message.topic == trial.topic, !message.isRetained, message.payload == trial.payload { isBack = true }
        }
        defer { connection.onMessage = nil }
        try connection.send(trial.payload, to: trial.topic)
        let sentinel = topics.sentinel(token)
        let limit = connection.deadline
        defer { connection.deadline = limit }
        if hasSentinel, trial.topic != sentinel, try connection.pass(sentinel) {
            // A broker of many parts may swap neighbours.
            connection.allow(.milliseconds(200))
        } else {
            // Half of the time, so that the broker can still be asked why.
            connection.allow(doctor.patience / 2)
        }
        let isWell = try connection.wait(until: { isBack })
        if isWell, trial.topic == sentinel { hasSentinel = true }
        return isWell
    }
}
