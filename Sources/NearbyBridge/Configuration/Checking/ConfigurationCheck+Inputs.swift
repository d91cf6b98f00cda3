// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyCore

/// What is wrong with the section `inputs`, entry by entry and between entries.
extension ConfigurationCheck {
    mutating func checkInputs() {
        let section = ConfigurationPath(["inputs"])
        var earlier: [String: String] = [:]
        for entry in settings.names(in: section) {
            let path = section.appending(entry.text)
            guard !settings.isRefused(path) else { continue }
            checkPort(of: path, entry.source)
            let options = ConfigurationAssembler(settings).meaning(of: path, SourceOptions())
            checkMeaning(of: path, options, entry.source)
            guard let input = ConfigurationAssembler(settings).input(at: path) else { continue }
            checkCenter(of: path, options, entry.source)
            if let other = earlier.updateValue("\(path)", forKey: input.name) {
                problem("\(path)", entry.source, "\(input.name) is read by \(other) already", "remove one of the two")
            }
        }
    }

    /// One device or one port, and only what belongs to it.
    private mutating func checkPort(of path: ConfigurationPath, _ entry: ConfigurationSource) {
        let hasDevice = settings.isGiven(path.appending("serial"))
        let hasPort = settings.isGiven(path.appending("udp"))
        guard hasDevice || hasPort else {
            return problem(
                "\(path)",
                entry,
                "neither serial nor udp",
                "write \"serial: /dev/ttyACM0\" or \"udp: 5000\""
            )
        }
        guard !hasDevice || !hasPort else {
            let source = place(of: path, "udp", or: entry)
            return problem("\(path.appending("udp"))", source, "given together with serial", "write two entries")
        }
        for (key, isFitting, port) in [
            ("baud", hasDevice, "serial"), ("init", hasDevice, "serial"), ("host", hasPort, "udp"),
        ] {
            guard let setting = settings[path.appending(key)], !isFitting else { continue }
            problem(
                "\(path.appending(key))",
                setting.source,
                "does not belong to this entry: it has no \(port)",
                "remove it"
            )
        }
    }

    /// Reports of nobody are dropped: better to know before.
    mutating func checkCenter(
        of path: ConfigurationPath,
        _ options: SourceOptions,
        _ entry: ConfigurationSource
    ) {
        guard options.accessory == nil, !namesCenter(options, path) else { return }
        warn(
            "\(path)",
            entry,
            "its reports do not say which accessory they belong to, and without one they are dropped",
            "set accessory"
        )
    }

    /// Whether reports can say by themselves who the accessory is.
    private func namesCenter(_ options: SourceOptions, _ path: ConfigurationPath) -> Bool {
        let isAtAnchors = options.center == .anchors
        if settings.hasFields(path) {
            let names = settings.isGiven(path.appending(key: "fields.\(isAtAnchors ? "peer" : "reporter")"))
            return names || (isAtAnchors && !options.anchors.isEmpty)
        }
        switch options.format {
        case .auto: return true
        // Its peer, if there is one, is named for people; who measured is never named.
        case .json: return false
        case .uci, .qorvo, .dw1000, .espresense, .drtls: return isAtAnchors
        case .pans, .eliko, .omlox, .pozyx, .makerfabs, .trek, .linktrack: return true
        }
    }
}
