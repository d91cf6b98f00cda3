// nearby-bridge · SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc

/// A UDP port to receive on, whoever sends.
///
/// Nothing here blocks. Closed with the object, which belongs to one thread at a time.
public final class DatagramSocket {
    /// What a call of `receive` brought.
    public enum Reception: Equatable, Sendable {
        /// Nothing: wait until the descriptor is readable.
        case nothing
        /// A datagram of so many bytes, which may be none.
        case datagram(count: Int)
        /// A datagram longer than the buffer, which holds its beginning.
        case truncated(count: Int)
    }

    /// To wait for with a `Poller`.
    public let descriptor: Int32
    /// The port, useful if any was asked for.
    public let port: Int

    /// Opens a port.
    ///
    /// - Parameters:
    ///   - host: An address of this machine in numbers; `0.0.0.0` or `::` for all of them.
    ///   - port: The port; 0 for any.
    /// - Throws: `EADDRINUSE` if another program has it, `EACCES` if this user may not, `EADDRNOTAVAIL` if the address
    ///   is none of this machine, `EINVAL` if it is none at all, or what else the system says.
    public init(host: String, port: Int) throws(SystemError) {
        let operation = "open UDP port \(port) of \(host)"
        guard let bytes = Self.address(host, port) else { throw SystemError(operation: operation, code: EINVAL) }
        let family = bytes.count == MemoryLayout<sockaddr_in>.size ? AF_INET : AF_INET6
        let type = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(family, type, 0)
        guard descriptor >= 0 else { throw SystemError(operation: operation) }
        var bound = bytes
        var size = socklen_t(bytes.count)
        let isBound = unsafe bound.withUnsafeMutableBytes { buffer in
            guard let address = unsafe buffer.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return false }
            return unsafe bind(descriptor, address, size) == 0 && getsockname(descriptor, address, &size) == 0
        }
        guard isBound else {
            let error = SystemError(operation: operation)
            _ = close(descriptor)
            throw error
        }
        self.descriptor = descriptor
        // The port stands at the same place for both families, most significant byte first.
        self.port = Int(bound[2]) << 8 | Int(bound[3])
    }

    deinit { _ = close(descriptor) }

    /// Takes the next datagram into the beginning of a buffer.
    public func receive(into buffer: inout [UInt8]) throws(SystemError) -> Reception {
        while true {
            let count = unsafe recv(descriptor, &buffer, buffer.count, Int32(MSG_TRUNC))
            if count >= 0 { return count > buffer.count ? .truncated(count: count) : .datagram(count: count) }
            switch errno {
            case EINTR: continue
            case EAGAIN: return .nothing
            default: throw SystemError(operation: "read UDP port \(port)")
            }
        }
    }

    /// Whether a text is an address in numbers, of version 4 or 6.
    public static func isAddress(_ host: String) -> Bool { address(host, 0) != nil }

    private static func address(_ host: String, _ port: Int) -> [UInt8]? {
        guard let port = UInt16(exactly: port) else { return nil }
        var four = sockaddr_in()
        if unsafe inet_pton(AF_INET, host, &four.sin_addr) == 1 {
            four.sin_family = sa_family_t(AF_INET)
            four.sin_port = port.bigEndian
            return unsafe withUnsafeBytes(of: &four) { unsafe Array($0) }
        }
        var six = sockaddr_in6()
        if unsafe inet_pton(AF_INET6, host, &six.sin6_addr) == 1 {
            six.sin6_family = sa_family_t(AF_INET6)
            six.sin6_port = port.bigEndian
            return unsafe withUnsafeBytes(of: &six) { unsafe Array($0) }
        }
        return nil
    }
}
