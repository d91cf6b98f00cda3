// nearby-bridge · SPDX-License-Identifier: Apache-2.0

internal import Glibc
public import LinuxSystem

/// A module that sends datagrams to a port of 127.0.0.1.
public final class DatagramSender {
    private let descriptor: Int32

    /// Makes a module that sends to a port.
    public init(to port: Int) throws(SystemError) {
        descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        var address = LoopbackSocket.address(port: port)
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isConnected = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                unsafe connect(descriptor, generic, size) == 0
            }
        }
        guard isConnected else { throw SystemError(operation: "open a socket") }
    }

    deinit { _ = close(descriptor) }

    /// Sends one datagram; whether anybody gets it, it does not learn.
    public func send(_ bytes: [UInt8]) {
        _ = unsafe Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Sends a text as one datagram.
    public func send(_ text: String) { send(Array(text.utf8)) }
}
