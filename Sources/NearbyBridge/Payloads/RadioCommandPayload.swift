// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// The payload of `…/peer/<peer>/command`: what a FiRa radio is told, in every form that radios are driven by.
///
/// Holds key material: it goes to the radio and nowhere else.
enum RadioCommandPayload {
    /// Writes a command; keys sorted.
    static func bytes(of command: RadioCommand) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        switch command.kind {
        case .configureAndStart(let session):
            writeLine(of: session, into: &json)
            json.pair("command", "configure_and_start")
            writeParameters(of: session, into: &json)
            json.pair("run", command.run)
            json.pair("session_id", Int64(session.sessionID))
            write(UCICommand.start(session), into: &json)
        case .stop(let sessionID):
            json.pair("cli", QorvoCommandLine.stop)
            json.pair("command", "stop")
            json.pair("run", command.run)
            json.key("session_id")
            if let sessionID { json.integer(Int64(sessionID)) } else { json.null() }
            write(sessionID.map { UCICommand.stop($0) } ?? [], into: &json)
        }
        json.endObject()
        return json.bytes
    }

    /// What to type, or why there is nothing to type.
    private static func writeLine(of session: FiRaSession, into json: inout JSONWriter) {
        do throws(QorvoCommandLine.Refusal) {
            json.pair("cli", try QorvoCommandLine.start(session))
        } catch {
            json.pair("cli_refused", error.text)
        }
    }

    /// Every parameter by its name: the value, and the number that UCI has for the name.
    private static func writeParameters(of session: FiRaSession, into json: inout JSONWriter) {
        let parameters = FiRaParameter.allCases.sorted { $0.name < $1.name }
        json.key("fira")
        json.beginObject()
        for parameter in parameters {
            if let number = session.number(of: parameter) {
                json.pair(parameter.name, Int64(number))
            } else {
                json.pair(parameter.name, Hexadecimal.text(session.stsIV.bytes.span))
            }
        }
        json.endObject()
        json.key("ids")
        json.beginObject()
        for parameter in parameters { json.pair(parameter.name, Int64(parameter.rawValue)) }
        json.endObject()
    }

    /// Every packet in hexadecimal digits.
    private static func write(_ commands: [UCICommand], into json: inout JSONWriter) {
        json.key("uci")
        json.beginArray()
        for command in commands { json.string(Hexadecimal.text(command.encoded.span)) }
        json.endArray()
    }
}

extension QorvoCommandLine.Refusal {
    /// What the firmware takes instead.
    fileprivate var text: String {
        switch self {
        case .channel(let channel): "Qorvo's command line takes channels 5 and 9, not \(channel)"
        case .preamble(let preamble): "Qorvo's command line takes preamble codes 9 to 12, not \(preamble)"
        case .slotDuration(let slot): "Qorvo's command line takes slots of 1200 to 12000 RSTU, not \(slot)"
        case .interval(let interval): "Qorvo's command line takes intervals of 100 to 500 ms, not \(interval)"
        case .sessionID(let id): "Qorvo's command line takes session ids up to 2147483647, not \(id)"
        case .roundControl(let control): "Qorvo's command line knows no ranging round control \(control)"
        }
    }
}
