// nearby-bridge · SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc

/// The first two steps of a connection, one by one: which addresses a name has, and whether one takes connections.
public enum NetworkProbe {
    /// Why a step failed, in words of the system.
    public struct Failure: Error, Equatable, Sendable, CustomStringConvertible {
        /// The words.
        public let description: String
    }

    /// An address of a host, with the port.
    public struct Address: Equatable, Sendable, CustomStringConvertible {
        /// As numbers.
        public let description: String
        fileprivate let family: Int32
        fileprivate let bytes: [UInt8]
    }

    /// Looks up a name; an address in numbers needs no looking up.
    ///
    /// Blocks for as long as name resolution takes, which can be many seconds.
    public static func addresses(of host: String, port: Int) throws(Failure) -> [Address] {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let code = unsafe getaddrinfo(host, String(port), &hints, &list)
        guard code == 0 else {
            throw Failure(description: unsafe gai_strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)")
        }
        defer { unsafe freeaddrinfo(list) }
        var addresses: [Address] = []
        var entry = unsafe list
        while let current = unsafe entry {
            if let address = unsafe Self.address(of: current.pointee), !addresses.contains(address) {
                addresses.append(address)
            }
            unsafe entry = current.pointee.ai_next
        }
        return addresses
    }

    private static func address(of entry: addrinfo) -> Address? {
        guard let socketAddress = unsafe entry.ai_addr else { return nil }
        var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let code = unsafe getnameinfo(
            socketAddress,
            entry.ai_addrlen,
            &name,
            socklen_t(name.count),
            nil,
            0,
            NI_NUMERICHOST
        )
        guard code == 0 else { return nil }
        let bytes = unsafe UnsafeRawBufferPointer(start: socketAddress, count: Int(entry.ai_addrlen))
        let text = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return Address(description: text, family: unsafe entry.ai_family, bytes: unsafe Array(bytes))
    }

    /// Connects by TCP and hangs up again; throws why it cannot.
    public static func connect(to address: Address, timeout: Duration) throws(Failure) {
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(address.family, type, 0)
        guard descriptor >= 0 else { throw Failure(description: SystemError.text(of: errno)) }
        defer { _ = close(descriptor) }
        let result = unsafe address.bytes.withUnsafeBytes { bytes in
            unsafe Glibc.connect(
                descriptor,
                bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                socklen_t(bytes.count)
            )
        }
        if result == 0 { return }
        guard errno == EINPROGRESS else { throw Failure(description: SystemError.text(of: errno)) }
        var poller = Poller()
        _ = poller.add(descriptor, for: .writable)
        let count = (try? poller.wait(timeout: timeout)) ?? 0
        guard count > 0 else { throw Failure(description: "no answer in time") }
        var code: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        _ = unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
        guard code == 0 else { throw Failure(description: SystemError.text(of: code)) }
    }
}
