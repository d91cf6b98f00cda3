// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

@testable import LinuxSystem

@Suite("A serial port")
struct SerialPortTests {
    private var buffer = [UInt8](repeating: 0, count: 256)

    /// Reads until something comes.
    private mutating func read(_ port: SerialPort) throws -> [UInt8] {
        var poller = Poller()
        _ = poller.add(port.descriptor)
        try poller.wait(timeout: .seconds(30))
        return Array(buffer[..<(try port.read(into: &buffer))])
    }

    /// Opens a device that was open before: a program that another test starts has our lock for a moment.
    private func reopen(_ device: PseudoTerminal) -> SerialPort? {
        var port: SerialPort?
        _ = Waiting.until {
            port = try? SerialPort(device.path, bitsPerSecond: 115_200)
            return port != nil
        }
        return port
    }

    @Test("passes bytes on as they are, in both directions")
    mutating func bytes() throws {
        let device = try PseudoTerminal()
        let port = try SerialPort(device.path, bitsPerSecond: 115_200)
        #expect(device.isRaw)
        #expect(try port.read(into: &buffer) == 0, "nothing has come")
        let all = (0...255).map { UInt8($0) }
        device.write(all)
        var came: [UInt8] = []
        while came.count < all.count { came += try read(port) }
        #expect(came == all)
        try port.send(all)
        var heard: [UInt8] = []
        #expect(
            Waiting.until {
                heard = device.received; return heard.count >= all.count
            }
        )
        #expect(heard == all)
        #expect(!port.wantsWrite)
    }

    @Test(
        "has the speed that is asked for",
        arguments: [(9600, B9600), (57_600, B57600), (115_200, B115200), (921_600, B921600)]
    )
    func speed(_ speed: (bitsPerSecond: Int, code: Int32)) throws {
        let device = try PseudoTerminal()
        let port = try SerialPort(device.path, bitsPerSecond: speed.bitsPerSecond)
        #expect(device.speed == UInt32(speed.code))
        _ = port
    }

    @Test("knows the usual speeds in order, and refuses others")
    func speeds() throws {
        #expect(SerialPort.speeds == SerialPort.speeds.sorted())
        #expect(SerialPort.speeds.first == 9600)
        #expect(SerialPort.speeds.last == 921_600)
        let device = try PseudoTerminal()
        let error = #expect(throws: SystemError.self) { try SerialPort(device.path, bitsPerSecond: 12_345) }
        #expect(error?.description == "cannot set \(device.path) to 12345 baud: Invalid argument")
    }

    @Test("belongs to one program at a time")
    func lock() throws {
        let device = try PseudoTerminal()
        do {
            let port = try SerialPort(device.path, bitsPerSecond: 9600)
            let error = #expect(throws: SystemError.self) { try SerialPort(device.path, bitsPerSecond: 9600) }
            #expect(error?.isInUse == true)
            _ = port
        }
        #expect(reopen(device) != nil)
    }

    @Test("says what is not there, and what is no serial device")
    func strange() throws {
        let directory = try TemporaryDirectory()
        let missing = #expect(throws: SystemError.self) {
            try SerialPort(directory.file("missing"), bitsPerSecond: 9600)
        }
        #expect(missing?.isAbsence == true)
        let null = #expect(throws: SystemError.self) { try SerialPort("/dev/null", bitsPerSecond: 9600) }
        #expect(null?.isNoTerminal == true)
    }

    @Test("ends when the device is pulled out, after what it still said")
    mutating func unplug() throws {
        var device: PseudoTerminal? = try PseudoTerminal()
        let port = try SerialPort(try #require(device?.path), bitsPerSecond: 115_200)
        device?.print("last words")
        #expect(try read(port) == Array("last words".utf8))
        device = nil
        let error = #expect(throws: SystemError.self) { try read(port) }
        #expect(error?.isAbsence == true)
        #expect(throws: SystemError.self) { try port.send([1]) }
    }

    @Test("keeps what the device does not take, but not without bound")
    func queue() throws {
        let device = try PseudoTerminal()
        let port = try SerialPort(device.path, bitsPerSecond: 115_200)
        let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 4096)
        var sent = 0
        let error = #expect(throws: SystemError.self) {
            while sent < 1 << 20 {
                try port.send(piece)
                sent += piece.count
            }
        }
        #expect(error?.code == ENOBUFS)
        #expect(port.wantsWrite)
        var heard = 0
        #expect(
            Waiting.until {
                heard = device.received.count
                try? port.flush()
                return heard >= sent
            }
        )
        #expect(heard == sent)
        #expect(!port.wantsWrite)
    }

    @Test("forgets what came before it was opened")
    mutating func stale() throws {
        let device = try PseudoTerminal()
        _ = try SerialPort(device.path, bitsPerSecond: 115_200)
        device.print("old")
        let port = try #require(reopen(device))
        device.print("new")
        #expect(try read(port) == Array("new".utf8))
    }
}
