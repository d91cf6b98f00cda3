// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NearbyBridge

@Suite struct `Request+FieldsTests` {
    @Test func `every command that is answered has its fields here`() {
        let commands =
            ["health", "snapshot"] + SessionRequests.commands + OptionRequests.commands + AccessoryRequests.commands
            + ExplainRequests.commands
        for command in commands { #expect(Request.fields[command] != nil, "\(command)") }
        #expect(Request.fields.count == commands.count)
    }

    @Test func `a slip in a known field is told, anything else is let be`() {
        for (command, fields) in Request.fields {
            for field in fields where field.count > 3 {
                let slip = String(field.dropLast())
                guard !fields.contains(slip) else { continue }
                let text = Request.slip(in: [slip], of: command)
                #expect(text?.hasPrefix("\(slip): no field of \(command); did you mean \(field)?") == true, "\(field)")
            }
            #expect(Request.slip(in: fields + ["transaction", "comment", "x-client"], of: command) == nil)
        }
        #expect(Request.slip(in: ["tiem"], of: "nothing/known") == nil)
    }
}
