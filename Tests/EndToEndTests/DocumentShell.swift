// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxSystem
import TestSupport

/// Runs the commands of a document in order, in a place that looks like a clean checkout after `make`.
///
/// A network of its own, in which a broker listens on port 1883; nothing of it outlives the object.
final class DocumentShell {
    /// What became of one block.
    struct Result {
        /// The status of its end; `nil` if it ran beside the others.
        var status: Int?
        /// All it wrote.
        var output: String
    }

    /// Why there is no place to run anything in.
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// One block on its way into the shell.
    struct Step {
        /// The text for bash.
        var text: String
        /// For a block that runs beside the following ones: a command that returns once it does its work.
        var ready: String?
    }

    /// A network and a process table of their own, which whoever is not root gets with a user table alone.
    private static let isolation =
        (geteuid() == 0 ? [] : ["--map-current-user", "--keep-caps"]) + ["--net", "--pid", "--fork", "--kill-child"]

    /// Whether this machine lets us have a network of our own.
    static let isAvailable = {
        let trial = try? ChildProcess(
            ["unshare"] + isolation + ["ip", "link", "set", "lo", "up"],
            output: .null,
            error: .null
        )
        return trial?.wait() == .exited(status: 0)
    }()

    private let place: TemporaryDirectory

    /// Makes the place.
    init() throws {
        place = try TemporaryDirectory()
        let program = try BridgeProcess.program()
        try place.write("listener 1883 127.0.0.1\nallow_anonymous true\nlog_type all\nuser root\n", to: "broker.conf")
        try place.write(
            """
            set -e
            cd '\(place.path)'
            mkdir -p bin checkout/.build/release
            ln -s '\(program)' bin/nearby-bridge
            ln -s '\(program)' checkout/.build/release/nearby-bridge
            for entry in Makefile README.md Package.swift Sources Tests .ci; do
                ln -s '\(Fixtures.checkout)'/$entry checkout/$entry
            done
            cp -r '\(Fixtures.checkout)/Examples' checkout/Examples
            """,
            to: "make-place.sh"
        )
        let ending = try ChildProcess(["bash", place.file("make-place.sh")]).wait()
        guard ending == .exited(status: 0) else {
            throw Failure(description: "the place cannot be made: \(ending)")
        }
    }

    /// Runs all steps in a folder of the checkout and returns what became of each.
    func run(_ steps: [Step], in folder: String) throws -> [Result] {
        var script = """
            exec >'\(place.file("driver.log"))' 2>&1
            set -mu
            ip link set lo up
            export PATH='\(place.file("bin"))':$PATH:/usr/sbin
            cd '\(place.file("checkout"))/\(folder)'
            export STATE_DIRECTORY='\(place.file("state"))'
            export BROKER_LOG='\(place.file("broker.log"))'
            mosquitto -c '\(place.file("broker.conf"))' >"$BROKER_LOG" 2>&1 &
            beside=()
            until mosquitto_pub -t ready -n 2>/dev/null; do sleep 0.05; done

            """
        for (number, step) in steps.enumerated() {
            let file = try place.write(step.text + "\n", to: "\(number).sh")
            let output = ">'\(place.file("\(number).out"))' 2>&1 </dev/null"
            if let ready = step.ready {
                script += "bash '\(file)' \(output) &\nbeside+=($!)\n\(ready)\n"
            } else {
                script +=
                    "timeout 300 bash -e -o pipefail '\(file)' \(output)\necho $? >'\(place.file("\(number).status"))'\n"
            }
        }
        script += "for job in \"${beside[@]}\"; do kill -- -$job; done\nsleep 0.3\n"
        let driver = try place.write(script, to: "driver.sh")
        try ChildProcess(["unshare"] + Self.isolation + ["bash", driver]).wait()
        return steps.indices.map { number in
            Result(
                status: Int(place.text(of: "\(number).status").filter(\.isNumber)),
                output: place.text(of: "\(number).out")
            )
        }
    }

    /// What the shell and the broker themselves said.
    var log: String { place.text(of: "driver.log") + place.text(of: "broker.log") }
}
