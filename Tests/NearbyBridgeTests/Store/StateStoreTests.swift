// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore
import SQLiteStore
import TestSupport
import Testing

@testable import NearbyBridge

struct StateStoreTests {
    private static let wall = WallTime(origin: 1_764_511_312_000_000_000)
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func open(_ name: String = "bridge") throws(StateStore.Failure) -> StateStore {
        try StateStore.open(folder: directory.path, name: name, synchronization: .normal)
    }

    private func contents(_ store: StateStore, seconds: Int64 = 0) throws -> StateStore.Contents {
        let now = Instant(nanoseconds: seconds * 1_000_000_000)
        return try store.contents(at: now, Self.wall, eventExpiry: .seconds(60))
    }

    private func event(_ sequence: Int64, stampAt: Int? = nil, expires seconds: Int64 = 60) -> Journal.Event {
        Journal.Event(
            key: EventKey(accessory: "lamp", peer: sequence % 2 == 0 ? nil : "alice", sequence: sequence),
            payload: Array("{\"published_at\":\"0000-00-00T00:00:00.000Z\"}".utf8),
            stampAt: stampAt,
            expiresAt: Instant(nanoseconds: seconds * 1_000_000_000)
        )
    }

    @Test func `a stream is read back as its topics are`() throws {
        var bench = try PerformerBench()
        for _ in 0..<4 {
            bench.report("{\"distance\":1}", from: "lamp")
        }
        let lamp = try #require(bench.engine.accessory(named: "lamp"))
        var journal = Journal(isKept: true)
        journal.change(StreamID(accessory: lamp))
        do {
            let store = try open()
            try store.commit(journal, bench.engine, Self.wall)
        }
        let streams = try contents(try open()).streams
        #expect(streams.map(\.accessory) == ["lamp"])
        #expect(streams.first?.lastSequence == bench.engine.state(of: StreamID(accessory: lamp))?.sequence)
        #expect(streams.first?.zones.map(\.state) == [.inside, .inside])
        #expect(streams.first?.session?.state == .external)
    }

    @Test func `events that the broker has are not sent again, others are, in their order`() throws {
        let bench = try PerformerBench()
        do {
            let store = try open()
            var journal = Journal(isKept: true)
            for number in [Int64(4), 2, 3, 9] { journal.append(event(number, stampAt: 17)) }
            try store.commit(journal, bench.engine, Self.wall)
            journal.removeAll()
            let sent = Array("{\"published_at\":\"2026-11-30T12:00:00.000Z\"}".utf8)
            journal.stamp(event(3).key, sent)
            journal.acknowledge(event(2).key)
            // One of another stream that has the same number.
            journal.acknowledge(EventKey(accessory: "lamp", peer: "bob", sequence: 9))
            try store.commit(journal, bench.engine, Self.wall)
        }
        let store = try open()
        let events = try contents(store).events
        #expect(events.map(\.key.sequence) == [4, 3, 9])
        #expect(events.map(\.stampAt) == [17, nil, 17])
        #expect(events.map(\.key.peer) == [nil, "alice", "alice"])
        #expect(String(decoding: events[1].payload, as: UTF8.self).contains("12:00"))
    }

    @Test func `an event that grew too old is counted and not sent, once`() throws {
        let bench = try PerformerBench()
        let store = try open()
        var journal = Journal(isKept: true)
        journal.append(event(2, expires: 10))
        journal.append(event(4, expires: 50))
        journal.append(event(6, expires: 1_000_000))
        try store.commit(journal, bench.engine, Self.wall)
        let later = try contents(store, seconds: 20)
        #expect(later.events.map(\.key.sequence) == [4, 6])
        #expect(later.expired == 1)
        // A clock that was set back lets nothing live longer than event_expiry.
        #expect(later.events[1].expiresAt == Instant(nanoseconds: 80_000_000_000))
        #expect(try contents(store, seconds: 20).expired == 0)
    }

    @Test func `events that are given up are not sent any more, later ones are`() throws {
        let bench = try PerformerBench()
        let store = try open()
        var journal = Journal(isKept: true)
        journal.append(event(2))
        try store.commit(journal, bench.engine, Self.wall)
        try store.giveUpEvents()
        journal.removeAll()
        journal.append(event(4))
        try store.commit(journal, bench.engine, Self.wall)
        #expect(try contents(store).events.map(\.key.sequence) == [4])
    }

    @Test func `a stamp outside its payload is not believed`() throws {
        let bench = try PerformerBench()
        let store = try open()
        var journal = Journal(isKept: true)
        for (number, stamp) in [(Int64(2), -1), (4, 1000), (6, .max), (8, 17)] {
            journal.append(event(number, stampAt: stamp))
        }
        try store.commit(journal, bench.engine, Self.wall)
        #expect(try contents(store).events.map(\.key.sequence) == [8])
    }

    @Test func `a damaged file is put aside with its name told`() throws {
        do { _ = try open() }
        try directory.write(Array(repeating: 7, count: 9000), to: "bridge.sqlite")
        let store = try open()
        let aside = try #require(store.setAside)
        #expect(aside.hasPrefix("\(store.path).damaged-"))
        #expect(try contents(store).streams.isEmpty)
    }

    @Test func `a file of a newer program is put aside, not guessed at`() throws {
        do {
            let path = directory.file("bridge.sqlite")
            let database = try SQLiteDatabase(path: path, synchronization: .normal, patience: 0)
            try database.execute("PRAGMA user_version = 999")
        }
        #expect(try open().setAside != nil)
    }

    @Test func `every layout is reached from every earlier one`() throws {
        let path = directory.file("old.sqlite")
        let database = try SQLiteDatabase(path: path, synchronization: .normal, patience: 0)
        try StateSchema.migrate(database)
        #expect(try database.userVersion() == StateSchema.version)
        try StateSchema.migrate(database)
        #expect(try database.userVersion() == StateSchema.version)
    }

    @Test func `a client identifier is no path`() throws {
        #expect(try open("../../etc/x y").path == directory.file("______etc_x_y.sqlite"))
        #expect(try open("nearby-bridge").path == directory.file("nearby-bridge.sqlite"))
    }

    @Test func `a store that another has is said`() throws {
        let store = try open()
        let failure = #expect(throws: StateStore.Failure.self) { try open() }
        #expect(failure == .inUse(path: store.path))
        #expect(failure?.text.contains("state.path") == true)
    }
}
