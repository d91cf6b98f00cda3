// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyBridge

struct StateOptionsTests {
    @Test(arguments: [
        (["STATE_DIRECTORY": "/a:/b", "HOME": "/h"], true, "/a"), (["HOME": "/root"], true, "/var/lib/nearby-bridge"),
        (["XDG_STATE_HOME": "/x", "HOME": "/h"], false, "/x/nearby-bridge"),
        (["XDG_STATE_HOME": "relative", "HOME": "/h"], false, "/h/.local/state/nearby-bridge"),
        (["HOME": "/h"], false, "/h/.local/state/nearby-bridge"), ([:], false, nil),
    ])
    func `without a path it is the place that fits the system`(
        _ environment: [String: String],
        _ isRoot: Bool,
        _ expected: String?
    ) {
        #expect(StateOptions().folder(environment: environment, isRoot: isRoot) == expected)
    }

    @Test func `a path is taken as it is, and none is nowhere`() {
        var options = StateOptions()
        options.path = "/data"
        #expect(options.folder(environment: ["STATE_DIRECTORY": "/a"], isRoot: true) == "/data")
        options.path = "none"
        #expect(options.folder(environment: ["STATE_DIRECTORY": "/a"], isRoot: true) == nil)
    }
}
