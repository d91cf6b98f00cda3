// nearby-bridge · SPDX-License-Identifier: Apache-2.0

internal import Glibc
public import LinuxSystem

/// A device that somebody plugged in: the far end of a serial port, played by a pseudo-terminal.
///
/// Unplugged with the object.
public final class PseudoTerminal {
    /// Where the near end is, as `/dev/ttyACM0` would be: a link, because numbers of terminals are used again.
    public let path: String
    private let directory: TemporaryDirectory
    private let descriptor: Int32
    private let written = Locked<[UInt8]>([])

    /// Plugs a device in.
    public init() throws(SystemError) {
        descriptor = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        var isLocked: Int32 = 0
        var number: UInt32 = 0
        guard descriptor >= 0,
            unsafe ioctl(descriptor, Self.setLock, &isLocked) == 0,
            unsafe ioctl(descriptor, Self.getNumber, &number) == 0
        else { throw SystemError(operation: "make a pseudo-terminal") }
        directory = try TemporaryDirectory()
        path = directory.file("tty")
        guard unsafe symlink("/dev/pts/\(number)", path) == 0 else { throw SystemError(operation: "link \(path)") }
    }

    /// TIOCGPTN and TIOCSPTLCK, which Swift's Glibc module lacks, as it lacks `ptsname_r` and `unlockpt`.
    private static let getNumber: UInt = 0x8004_5430
    private static let setLock: UInt = 0x4004_5431

    deinit {
        // The link first: whoever looks for the device again must not find that of another test.
        _ = unsafe unlink(path)
        _ = close(descriptor)
    }

    /// Has the device print bytes, as far as there is room, and returns how many.
    @discardableResult
    public func write(_ bytes: [UInt8]) -> Int {
        max(0, unsafe Glibc.write(descriptor, bytes, bytes.count))
    }

    /// Has the device print a text.
    public func print(_ text: String) { write(Array(text.utf8)) }

    /// Everything that was sent to the device so far.
    public var received: [UInt8] {
        written.withLock { written in
            var buffer = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = unsafe read(descriptor, &buffer, buffer.count)
                guard count > 0 else { return written }
                written += buffer[..<count]
            }
        }
    }

    /// The speed that the near end was set to, as the number of the system for it.
    public var speed: UInt32 {
        var settings = termios()
        _ = unsafe tcgetattr(descriptor, &settings)
        return unsafe cfgetospeed(&settings)
    }

    /// Whether bytes pass through the near end as they are.
    public var isRaw: Bool {
        var settings = termios()
        _ = unsafe tcgetattr(descriptor, &settings)
        return settings.c_lflag & tcflag_t(ICANON | ECHO | ISIG) == 0 && settings.c_oflag & tcflag_t(OPOST) == 0
            && settings.c_iflag & tcflag_t(ICRNL | IXON) == 0
    }

    /// Puts a link to the device where a path says, as the system does when one is plugged in.
    public func link(at place: String) {
        _ = unsafe unlink(place)
        _ = unsafe symlink(path, place)
    }
}
