// nearby-bridge · SPDX-License-Identifier: Apache-2.0

public import NearbyCore

/// What an entry of the section `inputs` says: a device or port, and what its reports mean.
public struct InputConfiguration: Equatable, Sendable {
    /// Where its bytes come from.
    public enum Port: Equatable, Sendable {
        /// A serial device, its speed in bits a second, and what it is sent when it is opened.
        case serial(path: String, bitsPerSecond: Int, lines: [String])
        /// A UDP port of an address of this machine.
        case udp(host: String, port: Int)
    }

    /// The speed of a serial device of which nothing is said.
    public static let defaultSpeed = 115_200
    /// The address of a UDP port of which nothing is said: modules are other machines.
    public static let defaultHost = "0.0.0.0"

    /// Where its bytes come from.
    public var port: Port
    /// What the engine is told.
    public var options: SourceOptions

    /// Creates an input.
    public init(_ port: Port, options: SourceOptions = SourceOptions()) {
        self.port = port
        self.options = options
    }

    /// What messages call it: `serial:/dev/ttyACM0`, `udp:5000`.
    public var name: String {
        switch port {
        case .serial(let path, _, _): "serial:\(path)"
        case .udp(Self.defaultHost, let port): "udp:\(port)"
        case .udp(let host, let port): "udp:\(host):\(port)"
        }
    }
}
