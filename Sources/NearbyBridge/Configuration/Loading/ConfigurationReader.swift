// nearby-bridge · SPDX-License-Identifier: Apache-2.0

internal import YAML

/// Reads layer upon layer into settings and collects everything that is wrong on the way.
struct ConfigurationReader {
    private(set) var settings = ConfigurationSettings.standard
    /// The file that was read, or should have been.
    private(set) var fileName: String?
    private(set) var problems: [ConfigurationProblem] = []
    private(set) var warnings: [ConfigurationProblem] = []
    /// Whether the file was YAML at all: if not, what it would have set is unknown.
    private(set) var isComplete = true
    /// Features that were warned of already.
    private var warned: Set<String> = []

    /// Reads the configuration file.
    mutating func readFile(_ file: ConfigurationFile) {
        fileName = file.name
        do {
            guard let root = try YAMLParser.parse(file.bytes) else { return }
            read(root, Place(origin: .file(file.name), path: ConfigurationPath(), tree: .root))
        } catch {
            isComplete = false
            problems.append(
                ConfigurationProblem(
                    key: nil,
                    source: .file(name: file.name, line: error.line),
                    message: error.message,
                    fix: error.fix
                )
            )
        }
    }

    /// Notes that there should be a file, and that it cannot be read.
    mutating func refuseFile(_ name: String, _ message: String) {
        isComplete = false
        fileName = name
        report(nil, .file(name: name, line: 0), message, "name a YAML file that this user may read")
    }

    /// Reads the variables of the environment.
    mutating func readEnvironment(_ variables: [(name: String, value: String?)]) {
        for (name, value) in variables where name.hasPrefix(EnvironmentName.prefix) {
            let source = ConfigurationSource.environment(variable: name)
            guard let key = EnvironmentName.keys[name] else {
                guard !EnvironmentName.isServiceLink(name, value ?? "") else { continue }
                report(nil, source, "no key of this name", EnvironmentName.hint(name))
                continue
            }
            guard let value else {
                settings.refuse(ConfigurationPath(key.levels))
                report(key.path, source, "the value is not UTF-8", "write it as UTF-8")
                continue
            }
            read(value, at: ConfigurationPath(key.levels), from: .environment(name))
        }
    }

    /// Reads one key, or everything below one, of a request to the running bridge.
    mutating func readRequest(_ node: YAMLNode, at path: ConfigurationPath) {
        guard let place = place(of: path, from: .request) else { return }
        read(node, place)
    }

    /// Takes a secret that a file holds, in the place of the key that would hold it itself.
    mutating func take(_ secret: Secret, for key: ConfigurationKey, from source: ConfigurationSource) {
        settings.set(
            ConfigurationPath(key.levels),
            ConfigurationSettings.Setting(
                key: key,
                value: .text(secret.value),
                source: source,
                isFromSecretFile: true
            )
        )
    }

    /// Reads one `key=value` of the command line.
    mutating func readOverride(_ text: String) {
        guard let equals = text.firstIndex(of: "="), let path = ConfigurationPath(parsing: text[..<equals]) else {
            // The text may be a mistyped secret: it is not repeated.
            problems.append(
                ConfigurationProblem(
                    key: nil,
                    source: .commandLine,
                    message: "expected key=value",
                    fix: "write for example --set mqtt.host=localhost"
                )
            )
            return
        }
        read(String(text[text.index(after: equals)...]), at: path, from: .commandLine)
    }

    /// The node of a text that a request had set and the store has kept; `nil` if the key is known no more.
    mutating func storedNode(_ text: String, at path: ConfigurationPath) -> YAMLNode? {
        place(of: path, from: .request).flatMap { node(text, at: $0) }
    }

    private mutating func read(_ text: String, at path: ConfigurationPath, from origin: Place.Origin) {
        guard let place = place(of: path, from: origin), let node = node(text, at: place) else { return }
        read(node, place)
    }

    /// Walks down to a place, or reports the first level that nothing of that name can stand at.
    private mutating func place(of path: ConfigurationPath, from origin: Place.Origin) -> Place? {
        var place = Place(origin: origin, path: ConfigurationPath(), tree: .root)
        for level in path.levels {
            guard let next = step(to: level, from: place, at: place.start) else { return nil }
            place = next
        }
        return place
    }

    /// Reads the text of a single value, as defaults, the environment and the command line hold them.
    static func decode(_ text: String, of key: ConfigurationKey) -> ConfigurationValue? {
        guard let node = try? node(text, type: key.type) else { return nil }
        var complaints: [ConfigurationComplaint] = []
        return key.type.decode(node, of: key, complaints: &complaints)
    }

    /// What is wrong with the text of a single value, `nil` if nothing is.
    static func complaint(_ text: String, of key: ConfigurationKey) -> ConfigurationComplaint? {
        var complaints: [ConfigurationComplaint] = []
        let node = YAMLNode(.scalar(text, isQuoted: false), at: YAMLPosition(line: 1, column: 1))
        _ = key.type.decode(node, of: key, complaints: &complaints)
        return complaints.first
    }

    private static func node(_ text: String, type: ConfigurationType?) throws(YAMLError) -> YAMLNode? {
        let plain = YAMLNode(.scalar(text, isQuoted: false), at: YAMLPosition(line: 1, column: 1))
        switch type {
        case .list?:
            // `1s,2s` is what one types in a shell.
            let isWhole = text.hasPrefix("[") || text.hasPrefix("{")
            return try YAMLParser.parse(Array((isWhole ? text : "[\(text)]").utf8))
        case nil: return try YAMLParser.parse(Array(text.utf8))
        case .boolean, .integer, .number, .duration, .byteSize, .choice, .text: return plain
        }
    }

    private mutating func node(_ text: String, at place: Place) -> YAMLNode? {
        do {
            return try Self.node(text, type: place.tree.key?.type) ?? YAMLNode(.mapping([]), at: place.start)
        } catch {
            report("\(place.path)", place.source(place.start), error.message, error.fix)
            return nil
        }
    }
}

/// Walking down the tree of the text and the tree of keys at the same time.
extension ConfigurationReader {
    /// A place in both trees.
    private struct Place {
        enum Origin {
            case file(String)
            case environment(String)
            case commandLine
            case request
        }

        var origin: Origin
        var path: ConfigurationPath
        var tree: ConfigurationKeyTree

        var start: YAMLPosition { YAMLPosition(line: 1, column: 1) }

        func source(_ position: YAMLPosition) -> ConfigurationSource {
            switch origin {
            case .file(let name): .file(name: name, line: position.line)
            case .environment(let variable): .environment(variable: variable)
            case .commandLine: .commandLine
            case .request: .request
            }
        }

        func deeper(_ level: String, _ tree: ConfigurationKeyTree) -> Place {
            Place(origin: origin, path: path.appending(level), tree: tree)
        }
    }

    private mutating func read(_ node: YAMLNode, _ place: Place) {
        if let key = place.tree.key, place.tree.children.isEmpty || !node.isMapping {
            readValue(node, of: key, place)
        } else if let entry = place.tree.entry {
            readEntries(node, entry, place)
        } else {
            readSection(node, place)
        }
    }

    private mutating func readValue(_ node: YAMLNode, of key: ConfigurationKey, _ place: Place) {
        var complaints: [ConfigurationComplaint] = []
        let value = key.type.decode(node, of: key, complaints: &complaints)
        for complaint in complaints {
            report("\(place.path)", place.source(complaint.position), complaint.message, complaint.fix)
        }
        guard let value else { return settings.refuse(place.path) }
        let source = place.source(node.position)
        settings.set(place.path, ConfigurationSettings.Setting(key: key, value: value, source: source))
        if case .choice(_, let unbuilt) = key.type, case .text(let word) = value, unbuilt.contains(word), key.isBuilt {
            warnOnce(of: "\(key.path)=\(word)", "\(place.path)", source, "\(word) is accepted")
        }
    }

    private mutating func readSection(_ node: YAMLNode, _ place: Place) {
        // A section whose content is commented out is a section that was not given.
        if node.kind == "nothing" { return }
        guard case .mapping(let entries) = node.content else {
            settings.refuse(place.path)
            let example = place.tree.names.first ?? "name"
            report(
                place.path.levels.isEmpty ? nil : "\(place.path)",
                place.source(node.position),
                "expected keys with values, found \(node.kind)",
                "write \"\(example): …\" in a line of its own"
            )
            return
        }
        if place.path.levels == ["zones"], case .file = place.origin {
            // A file that lists zones says which zones there are.
            settings.clear(place.path)
        }
        for entry in entries {
            guard let next = step(to: entry.key, from: place, at: entry.keyPosition) else { continue }
            read(entry.value, next)
        }
    }

    private mutating func readEntries(_ node: YAMLNode, _ entry: ConfigurationKeyTree, _ place: Place) {
        if node.kind == "nothing" { return }
        guard case .sequence(let nodes) = node.content else {
            report(
                "\(place.path)",
                place.source(node.position),
                "expected a list, found \(node.kind)",
                "write [] for none"
            )
            return
        }
        settings.clear(place.path)
        for (index, node) in nodes.enumerated() {
            let next = place.deeper("[\(index)]", entry)
            settings.add("[\(index)]", to: place.path, source: place.source(node.position))
            read(node, next)
        }
    }

    /// One level down, or a problem if nothing of that name can stand there.
    private mutating func step(to level: String, from place: Place, at position: YAMLPosition) -> Place? {
        let path = place.path.appending(level)
        let source = place.source(position)
        if let tree = place.tree.child(level), level != "*", level != "[]" {
            warnIfUnbuilt(tree, place.tree, path, source)
            return place.deeper(level, tree)
        }
        if let tree = place.tree.named {
            let rule: TextRule = place.path.levels.last == "zones" ? .zone : .identifier
            guard rule.accepts(level) else {
                let fix = rule.guess(level).map { "write \($0)" } ?? "choose a name such as \(rule.example)"
                report("\(path)", source, "expected a name of \(rule.expectation)", fix)
                return nil
            }
            warnIfUnbuilt(tree, place.tree, path, source)
            settings.add(level, to: place.path, source: source)
            return place.deeper(level, tree)
        }
        let near = NearestName.of(level, in: place.tree.names).map { place.path.appending($0) }
        // What is only mistyped must not be called missing as well.
        if let near { settings.refuse(near) }
        let fix = near.map { "did you mean \($0)?" } ?? hint(level, place)
        let isSection = place.tree.key == nil || !place.tree.children.isEmpty
        report("\(path)", source, isSection ? "unknown key" : "this key has no keys below it", fix)
        return nil
    }

    /// What to say of a key that resembles none of its place.
    private func hint(_ level: String, _ place: Place) -> String {
        if place.tree.key != nil, place.tree.children.isEmpty { return "did you mean \(place.path)?" }
        let names = place.tree.names.joined(separator: ", ")
        if case .commandLine = place.origin, place.path.levels.first == "accessories" {
            return "known here: \(names); a name with dots needs quotes"
        }
        // The key may only stand at the wrong depth.
        if let path = Self.pathsByLastLevel[level] { return "did you mean \(path)?" }
        return names.isEmpty ? "remove it" : "known here: \(names)"
    }

    private static let pathsByLastLevel = Dictionary(
        ConfigurationKey.all.compactMap { key in key.levels.last.map { ($0, key.path) } }.filter { $0.0 != "*" },
        uniquingKeysWith: { first, _ in first }
    )

    private mutating func warnIfUnbuilt(
        _ tree: ConfigurationKeyTree,
        _ parent: ConfigurationKeyTree,
        _ path: ConfigurationPath,
        _ source: ConfigurationSource
    ) {
        // One shard is what we are: only more of them would be a promise.
        guard !tree.isBuilt, parent.isBuilt, path.levels != ["shards"] else { return }
        warnOnce(of: path.levels.last ?? "", "\(path)", source, "accepted")
    }

    /// Warns of a feature, however many accessories ask for it.
    mutating func warn(_ key: String?, _ source: ConfigurationSource, _ message: String, _ fix: String) {
        warnings.append(ConfigurationProblem(key: key, source: source, message: message, fix: fix))
    }

    private mutating func warnOnce(
        of feature: String,
        _ key: String,
        _ source: ConfigurationSource,
        _ accepted: String
    ) {
        guard warned.insert(feature).inserted else { return }
        warnings.append(
            ConfigurationProblem(
                key: key,
                source: source,
                message: "\(accepted), but this version does not act on it yet",
                fix: "remove it to be rid of this warning"
            )
        )
    }

    mutating func report(_ key: String?, _ source: ConfigurationSource, _ message: String, _ fix: String) {
        problems.append(ConfigurationProblem(key: key, source: source, message: message, fix: fix))
    }
}

extension YAMLNode {
    /// Whether it has keys; some places take a value as well as a section.
    fileprivate var isMapping: Bool {
        if case .mapping = content { true } else { false }
    }
}
