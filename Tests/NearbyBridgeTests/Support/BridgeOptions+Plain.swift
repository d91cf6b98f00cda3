// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

@testable import NearbyBridge

extension BridgeOptions {
    /// Options of a bridge that is never run.
    static func plain(base: String = "nearby", engine: EngineOptions = EngineOptions()) throws -> BridgeOptions {
        var options = BridgeOptions(try load("mqtt: {base_topic: \(base)}"))
        options.engine = engine
        return options
    }
}
