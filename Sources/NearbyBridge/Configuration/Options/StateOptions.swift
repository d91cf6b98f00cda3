// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import LinuxSystem
import SQLiteStore

/// Where what must survive a restart is kept: the section `state`.
public struct StateOptions: Equatable, Sendable {
    /// The word that keeps nothing on disk.
    static let nowhere = "none"

    /// How much a commit survives.
    public enum Synchronization: String, Sendable {
        /// The end of the process.
        case normal
        /// A power cut too.
        case full
    }

    /// The folder, or `none`; `nil` is the place that fits the system.
    public var path: String?
    /// How much a commit survives.
    public var synchronization = Synchronization.normal

    /// Creates the defaults.
    public init() {}

    /// The folder to keep it in; `nil` keeps nothing.
    ///
    /// Without a path it is the one that systemd made for the service, else `/var/lib/nearby-bridge` for root, else the
    /// user's own by the XDG Base Directory Specification.
    func folder(environment: [String: String], isRoot: Bool) -> String? {
        if let path { return path == Self.nowhere ? nil : path }
        if let given = environment["STATE_DIRECTORY"]?.split(separator: ":").first { return String(given) }
        if isRoot { return "/var/lib/nearby-bridge" }
        if let home = environment["XDG_STATE_HOME"], home.hasPrefix("/") { return "\(home)/nearby-bridge" }
        return environment["HOME"].map { "\($0)/.local/state/nearby-bridge" }
    }
}
