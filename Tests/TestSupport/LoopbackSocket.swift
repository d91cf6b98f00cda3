// nearby-bridge · SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import LinuxSystem

/// Plain sockets on 127.0.0.1.
enum LoopbackSocket {
    /// Listens on a free port.
    static func listen() throws(SystemError) -> (descriptor: Int32, port: Int) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw SystemError(operation: "open a socket") }
        var address = address(port: 0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                unsafe bind(descriptor, generic, size) == 0 && getsockname(descriptor, generic, &size) == 0
                    && Glibc.listen(descriptor, 16) == 0
            }
        }
        guard isListening else { throw SystemError(operation: "listen") }
        return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
    }

    /// Connects to a port, `nil` if nobody listens there.
    static func connect(to port: Int) -> Int32? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        var address = address(port: port)
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isConnected = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                unsafe Glibc.connect(descriptor, generic, size) == 0
            }
        }
        guard isConnected else {
            _ = close(descriptor)
            return nil
        }
        return descriptor
    }

    /// Hands on what has come; false when the sender has closed.
    static func forward(_ from: Int32, _ to: Int32) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe recv(from, &bytes, bytes.count, 0)
        guard count > 0 else { return false }
        return unsafe send(to, bytes, count, Int32(MSG_NOSIGNAL)) == count
    }

    /// Makes the coming end of a connection a TCP reset.
    static func makeAbrupt(_ descriptor: Int32) {
        var option = linger(l_onoff: 1, l_linger: 0)
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    /// Ends a connection with a TCP reset.
    static func reset(_ descriptor: Int32) {
        makeAbrupt(descriptor)
        _ = close(descriptor)
    }

    static func address(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        address.sin_port = in_port_t(UInt16(port)).bigEndian
        return address
    }
}
