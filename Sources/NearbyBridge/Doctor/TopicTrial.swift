// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// One class of topics that a bridge reads, writes or both, and how it can be tried without disturbing anybody.
struct TopicTrial: Equatable, Sendable {
    /// What the bridge subscribes to, or the topic itself.
    var filter: String
    /// A topic that the filter selects.
    var topic: String
    var isRead: Bool
    var isWritten: Bool
    /// Whether a living bridge would act on a message there.
    var isHeard = false
    /// What is sent: nothing, or where somebody might act on nothing, what is true anyway.
    var payload: [UInt8] = []

    /// What a bridge needs, in the order of use; `kept` is what the broker retains of the bridge's own topics.
    ///
    /// Whatever has an accessory in it bears the name of one that does not exist, and is empty: that is no event and
    /// no state, and nobody joins by it.
    static func all(
        _ topics: TopicScheme,
        name: String,
        token: String,
        kept: [String: [UInt8]],
        hasGroups: Bool = false,
        hasRadios: Bool = false
    ) -> [TopicTrial] {
        let question = Array("{\"transaction\":\"\(name)\"}".utf8)
        let answer = Array(
            "{\"error\":\"doctor tries this topic\",\"status\":\"error\",\"transaction\":\"\(name)\"}".utf8
        )
        let line = Array("{\"level\":\"debug\",\"message\":\"doctor tries this topic\"}".utf8)
        let sentinel = topics.sentinel(token)
        let health = topics.request("health")
        let response = topics.response("health")
        let stopped = kept[topics.bridgeState] ?? BridgePayloads.state("stopped")
        let own = [
            TopicTrial(filter: sentinel, topic: sentinel, isRead: true, isWritten: true),
            TopicTrial(filter: topics.requestFilter, topic: health, isRead: true, isWritten: true, payload: question),
            TopicTrial(filter: response, topic: response, isRead: true, isWritten: true, payload: answer),
            both(topics.bridgeState, stopped), both(topics.bridgeInfo, kept[topics.bridgeInfo] ?? []),
            written(topics.bridgeHealth, kept[topics.bridgeHealth] ?? []),
            written(topics.bridgeAccessories, kept[topics.bridgeAccessories] ?? []),
            written(topics.bridgeEvent), written(topics.bridgeLogging, line),
        ]
        let words = ["report", "config", "message", "availability", "shareable", "peer/+/shareable"]
        let reported = words.map { word in
            TopicTrial(
                filter: "\(topics.base)/accessory/+/\(word)",
                topic: "\(topics.base)/accessory/\(name)/\(word == words.last ? "peer/\(name)/shareable" : word)",
                isRead: true,
                isWritten: false,
                isHeard: true
            )
        }
        let radios = [written(topics.command(of: name, peer: name), filter: topics.radioCommandFilter)]
        return own + reported + streams(topics, name) + (hasRadios ? radios : [])
            + (hasGroups ? groups(topics, name) : [])
    }

    private static func both(_ topic: String, _ payload: [UInt8]) -> TopicTrial {
        TopicTrial(filter: topic, topic: topic, isRead: true, isWritten: true, payload: payload)
    }

    private static func written(_ topic: String, _ payload: [UInt8] = [], filter: String? = nil) -> TopicTrial {
        TopicTrial(filter: filter ?? topic, topic: topic, isRead: false, isWritten: true, payload: payload)
    }

    /// What is published of groups.
    private static func groups(_ topics: TopicScheme, _ name: String) -> [TopicTrial] {
        let filter = "\(topics.base)/group/+"
        func read(_ word: String, _ topic: String) -> TopicTrial {
            TopicTrial(filter: "\(filter)/\(word)", topic: topic, isRead: true, isWritten: true)
        }
        return [
            read("state", topics.state(ofGroup: name)),
            read("zone/+", topics.zone("doctor", ofGroup: name)),
            read("peer/+/nearest", topics.nearest(of: name, inGroup: name)),
            written(topics.event(ofGroup: name), filter: topics.groupEventFilter),
        ]
    }

    /// What is published of accessories and peers.
    private static func streams(_ topics: TopicScheme, _ name: String) -> [TopicTrial] {
        [nil, name].flatMap { peer -> [TopicTrial] in
            let filter = "\(topics.base)/accessory/+\(peer == nil ? "" : "/peer/+")"
            func read(_ word: String, _ topic: String) -> TopicTrial {
                TopicTrial(filter: "\(filter)/\(word)", topic: topic, isRead: true, isWritten: true)
            }
            return [
                read("state", topics.state(of: name, peer: peer)),
                read("zone/+", topics.zone("doctor", of: name, peer: peer)),
                read("session", topics.session(of: name, peer: peer)),
                written(topics.event(of: name, peer: peer), filter: "\(filter)/event"),
                peer.map { written(topics.configuration(of: name, for: $0), filter: "\(filter)/config") }
                    ?? written(topics.command(of: name), filter: topics.commandFilter),
            ]
        }
    }
}
