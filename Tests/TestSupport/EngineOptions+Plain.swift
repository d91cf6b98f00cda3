// nearby-bridge · SPDX-License-Identifier: Apache-2.0

public import NearbyCore

extension EngineOptions {
    /// The defaults without smoothing, speed gate and holds: every confirmed distance decides at once.
    ///
    /// `immediate` is entered below 1.5 m and left above 1.8 m, `near` below 3 m and above 3.3 m.
    public static func plain(_ change: (inout EngineOptions) -> Void = { _ in }) -> EngineOptions {
        var options = EngineOptions()
        options.smoothing = FilterOptions(kind: .none)
        for index in options.zones.indices {
            options.zones[index].options.enterHold = .zero
            options.zones[index].options.exitHold = .zero
        }
        change(&options)
        return options
    }

    /// One accessory, `lamp`, that speaks on change only.
    public static func byException(_ change: (inout EngineOptions) -> Void = { _ in }) -> EngineOptions {
        var options = EngineOptions()
        var lamp = AccessoryOptions()
        lamp.reports = .byException
        options.accessories["lamp"] = lamp
        change(&options)
        return options
    }
}
