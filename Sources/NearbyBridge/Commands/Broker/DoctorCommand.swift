// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import LinuxSystem

/// `nearby-bridge doctor`: what a connection to the broker fails at.
enum DoctorCommand {
    /// Prints what each step found, and says by the exit code whether any failed.
    static func run(_ arguments: ParsedArguments) -> ExitCode {
        let isJSON = arguments.has("json")
        var steps: [DoctorStep] = []
        let report = { (step: DoctorStep) in
            steps.append(step)
            if !isJSON { StandardStream.output.write(step.line) }
        }
        var ending = ExitCode.ok
        do throws(CommandFailure) {
            let loaded = try ConfigurationArguments.load(arguments)
            let options = BridgeOptions(loaded)
            let patience = arguments.duration("timeout") ?? .seconds(5)
            let doctor = Doctor(options: options, patience: patience, report: report)
            doctor.tell(.ok, "configuration", "base topic \(options.topics.base), client \(options.clientIdentifier)")
            doctor.examine()
            if steps.contains(where: { $0.status == .failed }) { ending = .unavailable }
        } catch {
            report(DoctorStep(status: .failed, name: "configuration", text: error.message))
            ending = error.exitCode
        }
        if isJSON { StandardStream.output.write(json(steps, isWell: ending == .ok)) }
        return ending
    }

    /// Everything as one object.
    static func json(_ steps: [DoctorStep], isWell: Bool) -> String {
        var json = JSONWriter()
        json.beginObject()
        json.pair("ok", isWell)
        json.key("steps")
        json.beginArray()
        for step in steps {
            json.beginObject()
            json.pair("status", step.status.rawValue)
            json.pair("step", step.name)
            json.pair("text", step.text)
            json.endObject()
        }
        json.endArray()
        json.pair("v", 1)
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self) + "\n"
    }
}
