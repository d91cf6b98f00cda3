// nearby-bridge · SPDX-License-Identifier: Apache-2.0

// Runs whose shareable configuration data a phone makes (CONTRACT section 6, `relay`).

extension AccessorySession {
    /// Asks the phone for shareable configuration data: whatever the accessory sent is the phone's to understand.
    mutating func ask(at now: Instant, _ context: Context, into outputs: inout [SessionOutput]) {
        guard let configuration else { return reject(into: &outputs) }
        run += 1
        // The phone decides.
        grants = nil
        state = .configuring
        reason = nil
        foreignRange = nil
        deadline = now.advanced(by: context.timeouts.shareable)
        outputs.append(.ask(configuration))
        outputs.append(.changed)
    }

    /// Whether the phone's answer is awaited, and is none of an earlier run.
    ///
    /// A phone makes new values for every run (reference 0, fact 5): the same again is a message that came twice.
    func awaits(_ data: ShareableConfigurationData) -> Bool {
        guard state == .configuring, takesCommands else { return false }
        guard let parameters = data.parameters, let sessionID, let destination else { return true }
        return parameters.sessionID != sessionID || parameters.destinationAddress != destination
    }

    /// The phone gave its shareable configuration data: it goes to the accessory as it is.
    mutating func takeShareable(
        _ data: ShareableConfigurationData,
        at now: Instant,
        _ context: Context,
        into outputs: inout [SessionOutput]
    ) {
        guard awaits(data) else { return }
        launch(data, at: now, context, into: &outputs)
    }
}
