// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem
import MosquittoClient

/// The program: reads the command line and carries it out.
public enum CommandLineTool {
    /// Runs the program with its arguments, without the program's name, and says how it ended.
    public static func run(_ arguments: [String]) -> ExitCode {
        do throws(UsageError) {
            switch try ArgumentParser.parse(arguments) {
            case .help(let command):
                StandardStream.output.write(CommandHelp.text(for: command))
                return .ok
            case .version:
                StandardStream.output.write("nearby-bridge \(Version.text)\n")
                return .ok
            case .command(let arguments):
                return run(arguments)
            }
        } catch {
            StandardStream.error.write("nearby-bridge: \(error)\n")
            return error.exitCode
        }
    }

    private static func run(_ arguments: ParsedArguments) -> ExitCode {
        do throws(CommandFailure) {
            switch arguments.command {
            case .run: try RunCommand.run(arguments)
            case .demo: try DemoCommand.run(arguments)
            case .replay: try ReplayCommand.run(arguments)
            case .simulate: try SimulateCommand.run(arguments)
            case .decode: try DecodeCommand.run(arguments)
            case .check: try CheckCommand.run(arguments)
            case .schema: try SchemaCommand.run(arguments)
            case .health: try HealthCommand.run(arguments)
            case .purge: try PurgeCommand.run(arguments)
            case .record: try RecordCommand.run(arguments)
            case .doctor: return DoctorCommand.run(arguments)
            case .calibrate: try CalibrateCommand.run(arguments)
            case .advise: try AdviseCommand.run(arguments)
            case .completions: CompletionsCommand.run(arguments)
            case .man: try ManCommand.run(arguments)
            case .version: StandardStream.output.write("nearby-bridge \(Version.text)\n")
            }
            return .ok
        } catch {
            StandardStream.error.write("nearby-bridge \(arguments.command.rawValue): \(error.message)\n")
            return error.exitCode
        }
    }
}

/// Why a command could not do its work.
package struct CommandFailure: Error, Equatable, Sendable {
    /// How the program ends.
    var exitCode: ExitCode
    /// What was wrong, where, and what to do.
    package var message: String

    init(_ exitCode: ExitCode, _ message: String) {
        self.exitCode = exitCode
        self.message = message
    }

    /// Talks to a broker; a failure ends the command.
    static func unavailable<Result>(_ body: () throws(MosquittoError) -> Result) throws(CommandFailure) -> Result {
        do throws(MosquittoError) {
            return try body()
        } catch {
            throw CommandFailure(.unavailable, "\(error)")
        }
    }

    /// Reads a recording; a fault in it ends the command.
    static func badData<Result>(_ body: () throws(Walk.Fault) -> Result) throws(CommandFailure) -> Result {
        do throws(Walk.Fault) {
            return try body()
        } catch {
            throw CommandFailure(.badData, "\(error)")
        }
    }
}
