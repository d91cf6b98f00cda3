// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
import TestSupport
import Testing

@Suite("A child process")
struct ChildProcessTests {
    /// Runs a shell script and returns what it printed.
    private func output(_ arguments: [String], environment: [String]? = nil) throws -> String {
        let directory = try TemporaryDirectory()
        let file = unsafe open(directory.file("out"), O_WRONLY | O_CREAT, 0o600)
        defer { _ = close(file) }
        let child = try ChildProcess(arguments, environment: environment, output: .descriptor(file), error: .null)
        child.wait()
        return directory.text(of: "out")
    }

    @Test("gets its arguments as they are")
    func arguments() throws {
        #expect(try output(["printf", "%s|", "a b", "", "$HOME", "ä"]) == "a b||$HOME|ä|")
    }

    @Test("gets the environment it is given, or ours")
    func environment() throws {
        #expect(try output(["/bin/sh", "-c", "echo $ONE-$TWO"], environment: ["ONE=1", "TWO=2"]) == "1-2\n")
        #expect(try output(["sh", "-c", "test -n \"$PATH\" && echo yes"]) == "yes\n")
    }

    @Test("says how it ended")
    func endings() throws {
        #expect(try ChildProcess(["true"]).wait() == .exited(status: 0))
        #expect(try ChildProcess(["sh", "-c", "exit 7"]).wait() == .exited(status: 7))
        let child = try ChildProcess(["sleep", "60"])
        #expect(child.waitNoHang() == nil)
        child.terminate()
        #expect(child.wait() == .signalled(number: SIGTERM))
        #expect(child.wait() == .signalled(number: SIGTERM))
        child.kill()
        #expect(child.waitNoHang() == .signalled(number: SIGTERM))
        let other = try ChildProcess(["sleep", "60"])
        other.kill()
        #expect(other.wait() == .signalled(number: SIGKILL))
    }

    @Test("can be killed while another thread waits for it")
    func killWhileWaiting() throws {
        let child = try ChildProcess(["sleep", "60"])
        let ending = Locked<ChildProcess.Ending?>(nil)
        let thread = try Thread(name: "waiter") {
            let value = child.wait()
            ending.withLock { $0 = value }
        }
        Waiting.sleep(milliseconds: 20)
        child.kill()
        thread.join()
        #expect(ending.withLock { $0 } == .signalled(number: SIGKILL))
    }

    @Test("that does not exist is an error at once")
    func notFound() {
        let error = #expect(throws: SystemError.self) { try ChildProcess(["no-such-program-here"]) }
        #expect(error?.code == ENOENT)
        #expect(error?.description == "cannot start no-such-program-here: No such file or directory")
        #expect(throws: SystemError.self) { try ChildProcess([]) }
    }

    @Test("starts with no signal blocked or ignored and none of our descriptors")
    func cleanSlate() throws {
        Signals.ignoreBrokenPipe()
        let leak = unsafe open("/dev/null", O_RDONLY)
        defer { _ = close(leak) }
        let status = try output(["grep", "-E", "^Sig(Blk|Ign):", "/proc/self/status"])
        // Signals 32 and 33 are the C library's own, and it lets nobody change them.
        let masks = status.split(whereSeparator: \.isWhitespace).compactMap { UInt64($0, radix: 16) }
        #expect(masks.map { $0 & 0x7FFF_FFFF } == [0, 0])
        // ls itself opens the directory: 0, 1, 2 and 3.
        #expect(try output(["ls", "/proc/self/fd"]).split(separator: "\n").count <= 4)
    }

    @Test("is to be killed by the kernel when we die, but not when the thread that started it ends")
    func deathSignal() throws {
        #if arch(x86_64)
            let prctl = 157
        #else
            let prctl = 167
        #endif
        // PR_GET_PDEATHSIG
        let script = "my $v = pack('i', 0); syscall(\(prctl), 2, $v); print unpack('i', $v)"
        #expect(try output(["perl", "-e", script]) == "\(SIGKILL)")
        let child = Locked<ChildProcess?>(nil)
        try Thread(name: "short") {
            let started = try? ChildProcess(["sleep", "60"])
            child.withLock { $0 = started }
        }.join()
        Waiting.sleep(milliseconds: 50)
        let survivor = try #require(child.withLock { $0 })
        #expect(survivor.waitNoHang() == nil)
    }

    @Test("ends with its object")
    func deinitialisation() throws {
        var identifier: Int32 = 0
        do { identifier = try ChildProcess(["sleep", "60"]).identifier }
        #expect(identifier > 0)
        #expect(Glibc.kill(identifier, 0) == -1)
    }

    @Test("can be started from many threads at once")
    func manyThreads() throws {
        let endings = Locked<[ChildProcess.Ending]>([])
        let threads = try (0..<8).map { number in
            try Thread(name: "starter") {
                guard let child = try? ChildProcess(["sh", "-c", "exit \(number)"]) else { return }
                let ending = child.wait()
                endings.withLock { $0.append(ending) }
            }
        }
        for thread in threads { thread.join() }
        let numbers = endings.withLock { $0 }.compactMap { if case .exited(let status) = $0 { status } else { nil } }
        #expect(numbers.sorted() == Array(0..<8))
    }
}
