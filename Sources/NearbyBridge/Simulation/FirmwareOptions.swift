// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// How the firmware of a simulated accessory behaves where real ones differ.
///
/// The kinds are the public demos of `reference/nearby-interaction.md` section 1.3.
struct FirmwareOptions: Equatable, Sendable {
    /// How it writes, and therefore how it is written to.
    enum Spelling: String, Sendable, CaseIterable {
        /// Bytes, as on Bluetooth.
        case binary
        /// Hexadecimal text in JSON.
        case json
    }

    /// When it says that it started.
    enum Announcement: Sendable, CaseIterable {
        case beforeRanging
        case afterRanging
        case never
    }

    /// How it writes.
    var spelling = Spelling.binary
    /// In which version it describes itself.
    var layout = ConfigurationLayout.v11
    /// How often it would like to range.
    var updateRate = UpdateRate.userInteractive
    /// When it says that it started.
    var announcement = Announcement.afterRanging
    /// Whether it answers initialize while it ranges; otherwise it keeps silent and ranges on.
    var answersWhileActive = true
    /// Whether it says that it stopped when a start failed; otherwise it says nothing.
    var tellsFailure = false
    /// What goes wrong.
    var faults: [Fault] = []

    /// Creates an accessory that behaves well.
    init() {}

    /// The usual behaviours, one after the other, so that a few accessories show all of them.
    init(variant index: Int) {
        switch index % 3 {
        case 0: break  // NXP and Qorvo
        case 1:  // nrfuwb
            announcement = .beforeRanging
            answersWhileActive = false
            tellsFailure = true
        default: announcement = .never
        }
    }
}
