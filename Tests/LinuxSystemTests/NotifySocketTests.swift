// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
import TestSupport
import Testing

@Suite("A NotifySocket")
struct NotifySocketTests {
    @Test("tells what it is told, in order")
    func messages() throws {
        let listener = try NotifyListener()
        let socket = try #require(NotifySocket(path: listener.path))
        socket.send(.ready)
        socket.send(.watchdog)
        socket.send(.stopping)
        #expect(listener.messages == ["READY=1", "WATCHDOG=1", "STOPPING=1"])
    }

    @Test("gives each reload its moment, and the moments rise")
    func reloading() throws {
        let listener = try NotifyListener()
        let socket = try #require(NotifySocket(path: listener.path))
        socket.send(.reloading)
        socket.send(.reloading)
        let head = "RELOADING=1\nMONOTONIC_USEC="
        let moments = listener.messages.filter { $0.hasPrefix(head) }.compactMap { Int64($0.dropFirst(head.count)) }
        try #require(moments.count == 2)
        #expect(moments[0] > 0 && moments[0] <= moments[1])
    }

    @Test("does not mind that nobody listens")
    func nobody() throws {
        let directory = try TemporaryDirectory()
        let socket = try #require(NotifySocket(path: directory.file("nobody")))
        socket.send(.ready)
        let abstract = try #require(NotifySocket(path: "@nearby-bridge-nobody-\(getpid())"))
        abstract.send(.ready)
    }

    @Test(
        "is not made for a path that no socket can have",
        arguments: ["", "/", "@", "relative/path", "/" + String(repeating: "x", count: 107)]
    )
    func badPath(_ path: String) {
        #expect(NotifySocket(path: path) == nil)
    }

    @Test("signs of life are wanted at half the time allowed, and only by who waits for ours")
    func watchdog() throws {
        func interval(_ microseconds: String?, _ process: String? = nil) throws -> Int64? {
            let socket = NotifySocket(path: "/x", watchdogMicroseconds: microseconds, watchdogProcess: process)
            return try #require(socket).watchdogInterval
        }
        #expect(try interval(nil) == nil)
        #expect(try interval("30000000") == 15_000_000_000)
        #expect(try interval("30000000", "\(getpid())") == 15_000_000_000)
        #expect(try interval("30000000", "1") == nil)
        #expect(try interval("30000000", "none") == nil)
        #expect(try interval("0") == nil)
        #expect(try interval("-5") == nil)
        #expect(try interval("soon") == nil)
        #expect(try #require(try interval("9223372036854775807")) > 0)
    }
}
