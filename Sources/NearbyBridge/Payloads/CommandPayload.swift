// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// The payload of `…/command` (CONTRACT section 2.1): a data-channel frame as bytes, or the same as JSON.
///
/// Holds key material: it goes to the accessory and nowhere else.
enum CommandPayload {
    /// Writes a command the way the accessory writes.
    static func bytes(of command: AccessoryCommand) -> [UInt8] {
        let message = message(of: command.command)
        guard !command.isBinary else { return message.encoded }
        var json = JSONWriter()
        json.beginObject()
        json.pair("command", word(of: command.command))
        if case .configureAndStart(let data) = command.command {
            json.pair("data", Hexadecimal.text(data.encoded.span))
        }
        json.optional("peer", command.peer)
        json.pair("run", command.run)
        json.endObject()
        return json.bytes
    }

    private static func message(of command: SessionOutput.Command) -> AccessoryMessage {
        switch command {
        case .initialize: AccessoryMessage(.initialize)
        case .configureAndStart(let data): .configureAndStart(data)
        case .stop: AccessoryMessage(.stop)
        }
    }

    private static func word(of command: SessionOutput.Command) -> String {
        switch command {
        case .initialize: "initialize"
        case .configureAndStart: "configure_and_start"
        case .stop: "stop"
        }
    }
}
