// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import TestSupport
import Testing

@Suite struct EnvironmentTests {
    @Test("A variable is read by its name")
    func value() {
        #expect(Environment.value("PATH")?.isEmpty == false)
        #expect(Environment.value("NO_SUCH_VARIABLE_OF_OURS") == nil)
    }

    @Test("Variables are found by the beginning of their names, sorted")
    func variables() {
        let path = Environment.variables(beginningWith: "PATH").first { $0.name == "PATH" }
        #expect(path?.value == Environment.value("PATH"))
        let all = Environment.variables(beginningWith: "").map(\.name)
        #expect(all == all.sorted())
        #expect(Set(all).isSuperset(of: ["PATH"]))
        #expect(Environment.variables(beginningWith: "NO_SUCH_VARIABLE_OF_OURS").isEmpty)
    }
}
