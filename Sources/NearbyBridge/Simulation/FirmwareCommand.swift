// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import NearbyCore

/// What a simulated accessory reads from `…/command` (CONTRACT section 2.1): bytes, or the same as JSON.
///
/// Holds key material: shown nowhere.
enum FirmwareCommand: Sendable {
    case initialize
    /// The shareable configuration data, and the run if it is named.
    case configureAndStart([UInt8], run: Int64?)
    case stop

    private struct Body: Decodable {
        var command: String
        var data: String?
        var run: Int64?
    }

    /// Reads a payload; `nil` for what is no command that it knows.
    init?(_ payload: [UInt8]) {
        if payload.first == UInt8(ascii: "{") {
            guard let body = try? JSONDecoder().decode(Body.self, from: Data(payload)) else { return nil }
            switch body.command {
            case "initialize": self = .initialize
            case "stop": self = .stop
            case "configure_and_start":
                let bytes = body.data.flatMap { try? Hexadecimal.decode(Array($0.utf8).span) }
                self = .configureAndStart(bytes ?? [], run: body.run)
            default: return nil
            }
        } else {
            guard let message = try? AccessoryMessage.decode(payload.span) else { return nil }
            switch message.kind {
            case .initialize: self = .initialize
            case .stop: self = .stop
            case .configureAndStart: self = .configureAndStart(message.payload.bytes, run: nil)
            default: return nil
            }
        }
    }
}
