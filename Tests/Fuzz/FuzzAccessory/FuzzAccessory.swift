// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// libFuzzer's entry: decodes the bytes as all that an accessory may send and traps if a promise of a decoder is broken.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzAccessory(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let buffer = unsafe UnsafeBufferPointer(start: bytes, count: count)
    let payload = unsafe buffer.span
    checkAccessory(payload)
    checkShareable(payload)
    checkMessage(payload)
    for kind in ConfigurationPayload.Kind.allCases { checkPayload(payload, kind) }
    if let token = try? PeerToken.decode(payload) {
        precondition(1...PeerToken.maximumLength ~= token.bytes.count, "a token of no or too many bytes")
    }
    return 0
}

private func checkAccessory(_ payload: Span<UInt8>) {
    do throws(CodecError) {
        let data = try AccessoryConfigurationData.decode(payload)
        let encoded = data.encoded
        precondition(isEqual(encoded, payload), "bits were lost")
        for warning in data.warnings { precondition(!warning.description.isEmpty, "a warning without words") }
        if let uwb = data.uwb {
            precondition((try? UWBConfigurationData.decode(uwb.encoded.span)) == uwb, "the inner block is another one")
            _ = uwb.requestedTiming?.roundsPerInterval
        }
    } catch {
        precondition(!error.description.isEmpty, "an error without words")
    }
}

private func checkShareable(_ payload: Span<UInt8>) {
    do throws(CodecError) {
        let data = try ShareableConfigurationData.decode(payload)
        precondition(isEqual(data.encoded, payload), "bits were lost")
        for warning in data.warnings { precondition(!warning.description.isEmpty, "a warning without words") }
        if let parameters = data.parameters, let layout = data.layout {
            let made = ShareableConfigurationData(layout: layout, parameters)
            precondition((try? ShareableConfigurationData.decode(made.encoded.span)) == made, "not what was made")
            precondition(parameters.timing.roundsPerInterval ?? 1 >= 1, "an interval without a round")
        }
    } catch {
        precondition(!error.description.isEmpty, "an error without words")
    }
}

private func checkMessage(_ payload: Span<UInt8>) {
    guard let message = try? AccessoryMessage.decode(payload) else {
        precondition(payload.isEmpty, "a frame that is no message")
        return
    }
    precondition(isEqual(message.encoded, payload), "bits were lost")
}

private func checkPayload(_ payload: Span<UInt8>, _ kind: ConfigurationPayload.Kind) {
    do throws(CodecError) {
        let decoded = try ConfigurationPayload.decode(payload, as: kind)
        guard let data = decoded.data else {
            precondition(decoded.technology == .channelSounding || decoded.technology == .downlinkTDoA, "no data")
            return
        }
        precondition(decoded.isBinary || ConfigurationPayload.isText(payload), "text that is none")
        let id: UInt8 = kind == .accessory ? 0x01 : 0x0B
        let text = Hexadecimal.text((decoded.isFramed ? [id] + data.bytes : data.bytes).span)
        let again = try? ConfigurationPayload.decode([UInt8](text.utf8).span, as: kind)
        precondition(again?.data == data && again?.isFramed == decoded.isFramed, "another spelling, other bytes")
        if kind == .accessory { checkAccessory(data.bytes.span) } else { checkShareable(data.bytes.span) }
    } catch {
        precondition(!error.description.isEmpty, "an error without words")
    }
}

private func isEqual(_ bytes: [UInt8], _ span: Span<UInt8>) -> Bool {
    guard bytes.count == span.count else { return false }
    for index in bytes.indices where bytes[index] != span[index] { return false }
    return true
}
