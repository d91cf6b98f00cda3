// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// A type of the typed configuration that a checked value can become.
protocol ConfigurationDecodable {
    init?(_ value: ConfigurationValue)
}

extension Bool: ConfigurationDecodable {
    init?(_ value: ConfigurationValue) {
        guard case .boolean(let value) = value else { return nil }
        self = value
    }
}

extension Int: ConfigurationDecodable {
    init?(_ value: ConfigurationValue) {
        switch value {
        case .integer(let value), .byteSize(let value): self = value
        case .boolean, .number, .duration, .never, .text, .list: return nil
        }
    }
}

extension Double: ConfigurationDecodable {
    init?(_ value: ConfigurationValue) {
        guard case .number(let value) = value else { return nil }
        self = value
    }
}

extension String: ConfigurationDecodable {
    init?(_ value: ConfigurationValue) {
        guard case .text(let value) = value else { return nil }
        self = value
    }
}

extension Duration: ConfigurationDecodable {
    init?(_ value: ConfigurationValue) {
        guard case .duration(let value) = value else { return nil }
        self = value
    }
}

extension Patience: ConfigurationDecodable {
    init?(_ value: ConfigurationValue) {
        switch value {
        case .duration(let value): self = .after(value)
        case .never: self = .never
        case .boolean, .integer, .number, .byteSize, .text, .list: return nil
        }
    }
}

extension UInt8: ConfigurationDecodable {
    init?(_ value: ConfigurationValue) {
        guard let number = Int(value), let exact = UInt8(exactly: number) else { return nil }
        self = exact
    }
}

extension UInt16: ConfigurationDecodable {
    init?(_ value: ConfigurationValue) {
        guard let number = Int(value), let exact = UInt16(exactly: number) else { return nil }
        self = exact
    }
}

extension RangingParameters.Country: ConfigurationDecodable {
    init?(_ value: ConfigurationValue) {
        guard case .text(let text) = value else { return nil }
        self.init(text)
    }
}

extension Array: ConfigurationDecodable where Element: ConfigurationDecodable {
    init?(_ value: ConfigurationValue) {
        guard case .list(let values) = value else { return nil }
        self = values.compactMap { Element($0) }
    }
}

extension Secret: ConfigurationDecodable {
    init?(_ value: ConfigurationValue) {
        guard case .text(let value) = value else { return nil }
        self.init(value)
    }
}

extension Capabilities: ConfigurationDecodable {
    init?(_ value: ConfigurationValue) {
        guard let words = [String](value) else { return nil }
        self.init(words: words)
    }
}

extension ConfigurationDecodable where Self: RawRepresentable, RawValue == String {
    init?(_ value: ConfigurationValue) {
        guard case .text(let value) = value else { return nil }
        self.init(rawValue: value)
    }
}

extension BrokerOptions.ProtocolVersion: ConfigurationDecodable {}
extension BridgeConfiguration.JoinPolicy: ConfigurationDecodable {}
extension AccessoryConfiguration.Reporting: ConfigurationDecodable {}
extension SmoothingOptions.Filter: ConfigurationDecodable {}
extension LogLevel: ConfigurationDecodable {}
extension LogOptions.Format: ConfigurationDecodable {}
extension StateOptions.Synchronization: ConfigurationDecodable {}
extension PersonOptions.Presence: ConfigurationDecodable {}
extension RangeFormat: ConfigurationDecodable {}
extension SourcePreset: ConfigurationDecodable {}
extension SourceOptions.Center: ConfigurationDecodable {}
extension LengthUnit: ConfigurationDecodable {}
extension ShareableMode: ConfigurationDecodable {}
extension Authorization: ConfigurationDecodable {}
extension Technology: ConfigurationDecodable {}
