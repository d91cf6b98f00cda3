// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import MosquittoClient

/// Asks whoever is the bridge on this base topic how it is, over MQTT.
struct HealthQuestion {
    /// What came of it.
    enum Answer: Equatable {
        /// A bridge lives; its health as JSON.
        case alive([UInt8])
        /// None answers; why, as far as one can tell.
        case silent(String)
    }

    let topics: TopicScheme
    /// What we know our answer by.
    let token: String
    /// How long a bridge has to answer, within the connection's own deadline.
    let patience: Duration

    /// Asks and waits; throws if the broker does not play along.
    func ask(over connection: BriefConnection) throws(MosquittoError) -> Answer {
        let question = BridgeQuestion(topics: topics, token: token, patience: patience)
        return switch try question.ask("health", over: connection) {
        case .done(let data): .alive(data)
        case .refused(let why), .silent(let why): .silent(why)
        }
    }
}
