// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import TestSupport
import Testing

@testable import NearbyBridge

struct `Doctor+StoreTests` {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// What the step says of a folder.
    private func step(_ folder: String) throws -> String {
        var options = try BridgeOptions.plain()
        options.clientIdentifier = "bridge"
        options.state = StateOptions()
        options.state?.path = folder
        let lines = Locked<[String]>([])
        let doctor = Doctor(options: options, patience: .seconds(1)) { step in
            lines.withLock { $0.append("\(step.status.rawValue) \(step.text)") }
        }
        doctor.examineStore()
        let all = lines.withLock { $0 }
        try #require(all.count == 1)
        return all[0]
    }

    @Test func `a folder that is not there is not made, and said to come`() throws {
        let folder = directory.file("a/b")
        #expect(try step(folder) == "ok \(folder) is to be made by the first run")
        #expect(try step(folder) == "ok \(folder) is to be made by the first run")
    }

    @Test func `a folder that cannot be is told with what is in the way`() throws {
        #expect(try step("/dev/null/state").hasPrefix("failed /dev/null/state cannot be made"))
    }

    @Test func `nothing is kept where nothing is wanted`() throws {
        #expect(try step("none").hasPrefix("ok none"))
    }

    @Test func `a sound store, one in use and a damaged one are told apart`() throws {
        do {
            let store = try StateStore.open(folder: directory.path, name: "bridge", synchronization: .normal)
            #expect(try step(directory.path) == "ok \(store.path) is in use by a bridge")
        }
        #expect(try step(directory.path).hasSuffix("bridge.sqlite is sound"))
        try directory.write(Array(repeating: 9, count: 5000), to: "bridge.sqlite")
        #expect(try step(directory.path).contains("is damaged"))
        // It is still there: only a start puts it aside.
        #expect(directory.bytes(of: "bridge.sqlite").count == 5000)
    }
}
