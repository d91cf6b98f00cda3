// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

extension Complaint.Kind {
    /// What was wrong, where, and what to do.
    func text(_ limits: EngineOptions.Limits) -> String {
        switch self {
        case .report(let error):
            "report not understood at byte \(error.offset): \(error.reason.text)"
        case .payloadTooLarge(let bytes):
            "report of \(bytes) bytes dropped: limits.payload is \(limits.payload)"
        case .tooManyReports:
            "more than \(Int(limits.reportRate)) reports a second dropped: slow the source, or raise limits.report_rate"
        case .sparseReports(let pause, let lostAfter):
            "its reports come \(Column.decimal(pause.inSeconds, 1)) s apart, and without one for \(lostAfter) "
                + "it is lost: let it report more often, or raise its lost_after"
        case .configuration(let error):
            "\(error)"
        case .message(let error):
            "\(error)"
        case .radio(let refusal):
            "its radio cannot take part in this run: \(refusal.text)"
        case .shareable(.isRetained):
            "retained shareable configuration data ignored, it is of another run: publish it unretained"
        case .shareable(.isNotAwaited):
            "shareable configuration data ignored, no run of that phone awaits any: answer …/peer/<peer>/config, or "
                + "ask for a run with accessory/start"
        case .shareable(.isOfEarlierRun):
            "shareable configuration data ignored, it is that of an earlier run: a phone makes new data for every run"
        case .token(.isRetained):
            "retained discovery token ignored, it tells an identity to whoever comes: publish it unretained"
        case .token(.isNoPair):
            "discovery token ignored: …/peer/<peer>/token names the other phone, by the id that it has as an accessory"
        case .token(.isOtherSession):
            "discovery token ignored: it ranges with that peer as an accessory with a phone"
        case .identifierTaken:
            "another accessory is called so on the air: give each its own identifier, or remove the other"
        case .nothingUnderstood(let format, let seeming):
            "nothing that came was a report of the format \(format.rawValue)"
                + (seeming.map { "; the last message looks like \($0.rawValue)" } ?? "") + ": check format"
        case .tooManyAnchors:
            "another anchor ignored, there are more than any site has: give yours names, then they go first"
        case .positionWithoutAnchors:
            "it tells positions, and no anchor is known: an entry of sources or inputs says under anchors where they stand"
        case .positionWithoutPlace:
            "it tells positions, and where the accessory stands is not known: set accessories.<id>.position to [x, y] or "
                + "[x, y, z], in metres"
        case .noAccessory:
            "nothing says whose report it is; set accessory in its entry of sources or inputs"
        case .peerIsPerson:
            "a report names a person as its peer: give the device another name, and list it under the person's peers"
        case .tooManyPeers:
            "another peer ignored: limits.peers is \(limits.peers)"
        }
    }
}

extension FiRaSession.Refusal {
    /// Why not.
    var text: String {
        switch self {
        case .slotsPerRound(let slots): "\(slots) slots in a round, and FiRa radios can be told of 255"
        case .role(let role): "the accessory's role \(role.rawValue) (\(role.meaning)) is not one of two-way ranging"
        case .unknownVersion: "its configuration data is of a version that is not known here"
        }
    }
}

extension ReportError.Reason {
    /// What was wrong, and what is expected.
    var text: String {
        switch self {
        case .empty: "the payload is empty; send {\"distance\":1.23}"
        case .unknownFormat: "no known format begins like this; send {\"distance\":1.23} or an array of such"
        case .truncated: "the payload ends in the middle of a value"
        case .syntax: "not what its format has there"
        case .invalidUTF8: "a string is not UTF-8"
        case .tooDeep: "nested too deep"
        case .invalidValue: "a field has the wrong type or is out of range; distances are numbers in metres"
        case .noKnownField: "it has no field of a report; send {\"distance\":1.23}"
        case .duplicateField: "a field stands twice"
        case .invalidPeer: "a peer is named by 1 to 64 of A–Z a–z 0–9 . _ : -"
        }
    }
}
