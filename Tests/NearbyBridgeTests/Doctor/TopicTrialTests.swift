// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import MosquittoClient
import Testing

@testable import NearbyBridge

struct TopicTrialTests {
    private let topics = TopicScheme(base: "nearby")

    private func trials(kept: [String: [UInt8]] = [:]) -> [TopicTrial] {
        TopicTrial.all(topics, name: "doctor-1", token: "t", kept: kept, hasGroups: true, hasRadios: true)
    }

    @Test func `every topic is selected by its filter`() {
        for trial in trials() { #expect(TopicFilter.matches(trial.filter, topic: trial.topic), "\(trial)") }
    }

    @Test func `everything that a bridge subscribes to is tried`() {
        let tried = trials().filter(\.isRead).map(\.filter)
        let needed =
            [topics.reportFilter, topics.requestFilter] + topics.accessoryFilters + topics.startFilters(token: "t")
        for filter in needed { #expect(tried.contains(filter), "\(filter)") }
    }

    @Test func `everything that a bridge publishes is tried`() {
        let tried = Set(trials().filter(\.isWritten).map(\.topic))
        let streams = [nil, "doctor-1"].flatMap { peer in
            [
                topics.state(of: "doctor-1", peer: peer), topics.session(of: "doctor-1", peer: peer),
                topics.event(of: "doctor-1", peer: peer), topics.zone("doctor", of: "doctor-1", peer: peer),
            ]
        }
        let bridge = [
            topics.bridgeState, topics.bridgeInfo, topics.bridgeHealth, topics.bridgeAccessories, topics.bridgeEvent,
            topics.bridgeLogging, topics.response("health"), topics.request("health"), topics.sentinel("t"),
        ]
        let told = [
            topics.command(of: "doctor-1"), topics.command(of: "doctor-1", peer: "doctor-1"),
            topics.configuration(of: "doctor-1", for: "doctor-1"),
        ]
        for topic in streams + bridge + told { #expect(tried.contains(topic), "\(topic)") }
    }

    @Test func `what bears the name of an accessory is empty, and what a bridge would act on is marked`() {
        for trial in trials() where trial.topic.contains("/accessory/") {
            #expect(trial.payload.isEmpty)
            #expect(trial.topic.contains("/accessory/doctor-1/"))
            #expect(trial.isHeard == (trial.isRead && !trial.isWritten))
        }
    }

    @Test func `groups are tried only where there are any`() {
        let tried = TopicTrial.all(topics, name: "doctor-1", token: "t", kept: [:])
        #expect(!tried.contains { $0.filter.contains("/group/") })
        #expect(trials().contains { $0.topic == topics.event(ofGroup: "doctor-1") && $0.isWritten && !$0.isRead })
    }

    @Test func `of the bridge only the truth is told`() {
        let state = trials().first { $0.topic == topics.bridgeState }
        #expect(state?.payload == BridgePayloads.state("stopped"))
        let kept = [topics.bridgeState: [1], topics.bridgeInfo: [2], topics.bridgeHealth: [3 as UInt8]]
        for trial in trials(kept: kept) {
            if let payload = kept[trial.topic] { #expect(trial.payload == payload) }
        }
    }
}
