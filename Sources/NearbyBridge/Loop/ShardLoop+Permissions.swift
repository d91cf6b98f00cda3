// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import MosquittoClient
import NearbyCore

/// What an ACL may refuse without a word.
extension ShardLoop {
    /// Subscribes to what is about to be published, if it is the first of its class.
    func readBackIfFirst(_ message: OutgoingMessage, with client: MosquittoClient) throws(MosquittoError) {
        guard message.qualityOfService > 0, writeCheck.begins(with: message.topic, options.topics) else { return }
        try client.subscribe([message.topic], qualityOfService: .atMostOnce)
    }

    /// Something came that no source and no asker sent: what we published ourselves.
    func noteOwn(_ topic: borrowing Span<UInt8>, _ client: MosquittoClient) {
        guard !writeCheck.pending.isEmpty else { return }
        let name = topic.string
        if writeCheck.arrived(name) { stopReadingBack(name, client) }
    }

    /// Says what did not come back, and that no report ever came.
    func checkPermissions() {
        guard let client = connection.openClient else { return }
        if let missing = writeCheck.overdue(at: now) {
            stopReadingBack(missing.topic, client)
            log.error(
                "what we publish to \(missing.topic) does not arrive: the broker acknowledges and refuses it. "
                    + "Allow this user to write and read \(missing.output.filter(options.topics, for: missing.topic))"
            )
        }
        let counters = engine.counters
        let hasHeard = counters.reports + counters.malformed + counters.refusedAccessories > 0
        if reportHint.isDue(at: now, hasHeard: hasHeard) {
            log.info(
                "no report has come for \(ReportHint.patience): does a source publish to "
                    + "\(options.topics.report(of: "<id>")), and may this user read \(options.topics.reportFilter)?"
            )
        }
    }

    /// The broker says that it refuses a message (MQTT 5); told once for each class.
    func noteRefusedPublish(_ reasonCode: Int32, _ topic: String) {
        let output = OutputClass(topic, options.topics)
        guard !toldRefusals.contains(output) else { return }
        toldRefusals.append(output)
        log.error(
            "the broker refuses what we publish to \(topic) (reason \(reasonCode)): "
                + "allow this user to write \(output?.filter(options.topics, for: topic) ?? topic)"
        )
    }

    private func stopReadingBack(_ topic: String, _ client: MosquittoClient) {
        do throws(MosquittoError) {
            try client.unsubscribe([topic])
        } catch {
            connectionEnded(error)
        }
    }
}
