// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// One key of the configuration: everything that the reader, the reference and the schema need to know about it.
public struct ConfigurationKey: Equatable, Sendable {
    /// What sets a key apart from the rest.
    public struct Traits: OptionSet, Sendable {
        /// The bits.
        public let rawValue: UInt8

        /// Creates traits from their bits.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// Never printed.
        public static let secret = Traits(rawValue: 1)
        /// A change takes effect without a restart.
        public static let live = Traits(rawValue: 2)
        /// Accepted and validated, but nothing acts on it yet.
        public static let unbuilt = Traits(rawValue: 4)
    }

    /// Where it stands: levels joined by dots, `*` for a name that the user chooses, `[]` for each entry of a list.
    public var path: String
    /// What it may be set to.
    public var type: ConfigurationType
    /// The value without any setting, as one would write it; `nil` if there is none, or if `help` tells how it comes.
    public var defaultText: String?
    /// What it does, in one line.
    public var help: String
    /// What sets it apart.
    public var traits: Traits

    /// Whether its value must never be printed.
    public var isSecret: Bool { traits.contains(.secret) }
    /// Whether a change takes effect without a restart.
    public var appliesLive: Bool { traits.contains(.live) }
    /// Whether this version acts on it.
    public var isBuilt: Bool { !traits.contains(.unbuilt) }

    init(
        _ path: String,
        _ type: ConfigurationType,
        default defaultText: String? = nil,
        _ help: String,
        _ traits: Traits = []
    ) {
        self.path = path
        self.type = type
        self.defaultText = defaultText
        self.help = help
        self.traits = traits
    }

    /// The levels of the path, each entry of a list being a level of its own.
    var levels: [String] {
        path.split(separator: ".").flatMap { level in
            level.hasSuffix("[]") ? [String(level.dropLast(2)), "[]"] : [String(level)]
        }
    }
}
