// nearby-bridge · SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc

/// A serial device in raw mode, for this process alone: 8 data bits, no parity, 1 stop bit, no flow control.
///
/// Nothing here blocks. Closed with the object, which belongs to one thread at a time.
public final class SerialPort {
    /// The bits a second that a device can be set to.
    public static let speeds = speedCodes.map(\.bitsPerSecond)

    /// What waits to be sent is never longer (bytes).
    static let longestQueue = 16_384

    /// To wait for with a `Poller`.
    public let descriptor: Int32
    private let path: String
    private var unsent: [UInt8] = []

    /// Opens a device.
    ///
    /// - Parameters:
    ///   - path: Such as `/dev/ttyACM0`; a link is followed.
    ///   - bitsPerSecond: One of `speeds`.
    /// - Throws: `ENOENT` if there is none, `EACCES` if this user may not, `EBUSY` if another program has it, `ENOTTY`
    ///   if it is no serial device, `EINVAL` for another speed, or what else the system says.
    public init(_ path: String, bitsPerSecond: Int) throws(SystemError) {
        guard let speed = Self.speedCodes.first(where: { $0.bitsPerSecond == bitsPerSecond })?.code else {
            throw SystemError(operation: "set \(path) to \(bitsPerSecond) baud", code: EINVAL)
        }
        let descriptor = unsafe open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError(operation: "open \(path)") }
        do throws(SystemError) {
            try Self.claim(descriptor, path)
            try Self.configure(descriptor, path, speed)
        } catch {
            _ = close(descriptor)
            throw error
        }
        self.descriptor = descriptor
        self.path = path
    }

    deinit {
        // Without this closing waits until what nobody reads is sent: up to half a minute.
        _ = tcflush(descriptor, TCIOFLUSH)
        _ = close(descriptor)
    }

    /// Reads what has come into the beginning of a buffer, and returns how many bytes that are; 0 if there is nothing.
    ///
    /// Throws when the device is gone: it has to be opened again then.
    public func read(into buffer: inout [UInt8]) throws(SystemError) -> Int {
        while true {
            let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
            if count > 0 || buffer.isEmpty { return count }
            // A device that was pulled out ends like a file.
            if count == 0 { throw SystemError(operation: "read \(path)", code: ENODEV) }
            switch errno {
            case EINTR: continue
            case EAGAIN: return 0
            default: throw SystemError(operation: "read \(path)")
            }
        }
    }

    /// Whether something waits to be sent: then wait until the descriptor is writable and `flush`.
    public var wantsWrite: Bool { !unsent.isEmpty }

    /// Sends bytes, as far as the device takes them now; the rest waits for `flush`.
    ///
    /// Throws when the device is gone, or takes nothing any more (`ENOBUFS`).
    public func send(_ bytes: [UInt8]) throws(SystemError) {
        guard unsent.count + bytes.count <= Self.longestQueue else {
            throw SystemError(operation: "write \(path)", code: ENOBUFS)
        }
        unsent += bytes
        try flush()
    }

    /// Sends what waits, as far as the device takes it now.
    public func flush() throws(SystemError) {
        while !unsent.isEmpty {
            let count = unsafe write(descriptor, unsent, unsent.count)
            if count > 0 {
                unsent.removeFirst(count)
            } else if count == 0 || errno == EAGAIN {
                return
            } else if errno != EINTR {
                throw SystemError(operation: "write \(path)")
            }
        }
    }

    /// Keeps other programs away: those that open it later, and those that ask for the lock, as we do.
    private static func claim(_ descriptor: Int32, _ path: String) throws(SystemError) {
        guard isatty(descriptor) == 1 else { throw SystemError(operation: "use \(path)", code: ENOTTY) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw SystemError(operation: "lock \(path)", code: errno == EWOULDBLOCK ? EBUSY : errno)
        }
        guard ioctl(descriptor, UInt(TIOCEXCL)) == 0 else { throw SystemError(operation: "lock \(path)") }
    }

    private static func configure(_ descriptor: Int32, _ path: String, _ speed: speed_t) throws(SystemError) {
        var settings = termios()
        guard unsafe tcgetattr(descriptor, &settings) == 0 else { throw SystemError(operation: "set up \(path)") }
        unsafe cfmakeraw(&settings)
        settings.c_cflag &= ~(tcflag_t(CSTOPB) | tcflag_t(CRTSCTS))
        settings.c_cflag |= tcflag_t(CREAD) | tcflag_t(CLOCAL)
        // No byte at all then means that the device is gone, and never that there is nothing yet.
        unsafe withUnsafeMutableBytes(of: &settings.c_cc) { characters in
            unsafe characters[Int(VMIN)] = 1
            unsafe characters[Int(VTIME)] = 0
        }
        guard unsafe cfsetspeed(&settings, speed) == 0, unsafe tcsetattr(descriptor, TCSANOW, &settings) == 0 else {
            throw SystemError(operation: "set up \(path)")
        }
        // What came before we listened is of no one knows when.
        _ = tcflush(descriptor, TCIOFLUSH)
    }

    private static let speedCodes: [(bitsPerSecond: Int, code: speed_t)] = [
        (9600, speed_t(B9600)), (19_200, speed_t(B19200)), (38_400, speed_t(B38400)), (57_600, speed_t(B57600)),
        (115_200, speed_t(B115200)), (230_400, speed_t(B230400)), (460_800, speed_t(B460800)),
        (500_000, speed_t(B500000)), (576_000, speed_t(B576000)), (921_600, speed_t(B921600)),
    ]
}

extension SystemError {
    /// Whether there is no such file or device, or none any more.
    public var isAbsence: Bool { [ENOENT, ENODEV, ENXIO, EIO, ENOTDIR].contains(code) }
    /// Whether this user may not.
    public var isRefusal: Bool { code == EACCES || code == EPERM }
    /// Whether another program has it.
    public var isInUse: Bool { code == EBUSY || code == EADDRINUSE }
    /// Whether the address is none of this machine.
    public var isForeignAddress: Bool { code == EADDRNOTAVAIL }
    /// Whether it is no terminal, and so no serial device.
    public var isNoTerminal: Bool { code == ENOTTY }
}
