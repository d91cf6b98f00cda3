// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyBridge

struct NoiseModelTests {
    @Test(arguments: [
        ("gaussian", NoiseModel.gaussian(deviation: 0.11)),
        ("gaussian:0.2", .gaussian(deviation: 0.2)),
        ("correlated", .correlated(deviation: 0.12)),
        ("spikes:0.03", .spikes(share: 0.03)),
        ("shadow", .shadow(Episodes(perHour: 60, seconds: 3), metres: 0.6)),
        ("shadow:30", .shadow(Episodes(perHour: 30, seconds: 3), metres: 0.6)),
        ("shadow:30/5/1", .shadow(Episodes(perHour: 30, seconds: 5), metres: 1)),
        ("loss:1", .loss(share: 1)),
        ("holes:6", .holes(Episodes(perHour: 6, seconds: 15))),
        ("offset:-0.1", .offset(metres: -0.1)),
        ("failed", .failed(share: 0.013)),
    ])
    func `a model is a name, with a value or its usual one`(_ text: String, _ model: NoiseModel) throws {
        #expect(try NoiseModel.read(text) == [model])
    }

    @Test(arguments: [
        ("gausian", "--noise-model: unknown noise model \"gausian\"; did you mean gaussian?"),
        ("gaussian:", "--noise-model: \"\" is no value of gaussian; write gaussian:0.11"),
        ("gaussian:-1", "--noise-model: \"-1\" is no value of gaussian; write gaussian:0.11"),
        ("gaussian:nan", "--noise-model: \"nan\" is no value of gaussian; write gaussian:0.11"),
        ("gaussian:1/2", "--noise-model: \"1/2\" is no value of gaussian; write gaussian:0.11"),
        ("loss:1.1", "--noise-model: \"1.1\" is no value of loss; write loss:0.2"),
        ("shadow:1/2/3/4", "--noise-model: \"1/2/3/4\" is no value of shadow; write shadow:60/3/0.6"),
        ("worst:1", "--noise-model: \"1\" is no value of worst; write worst"),
    ])
    func `what is wrong with a model is said with a way out`(_ text: String, _ message: String) {
        let error = #expect(throws: UsageError.self) { try NoiseModel.read(text) }
        #expect(error?.description == message)
    }

    @Test func `every model of the table can be given by its name, and the worst is all of them`() throws {
        let names = NoiseModel.table.names
        #expect(names.last == "worst")
        #expect(try NoiseModel.read("worst") == NoiseModel.worst)
        let kinds = NoiseModel.worst.map { "\($0)".prefix { $0 != "(" } }
        #expect(kinds.map(String.init) == Array(names.dropLast()))
        for name in names { #expect(try !NoiseModel.read(name).isEmpty) }
    }
}
