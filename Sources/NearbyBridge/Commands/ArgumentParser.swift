// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// Reads the command line by the table of commands.
public enum ArgumentParser {
    /// What the command line asks for.
    public enum Request: Equatable, Sendable {
        /// Carry out a command.
        case command(ParsedArguments)
        /// Print the help text of a command, or that of the program.
        case help(CommandName?)
        /// Print the version.
        case version
    }

    /// Reads the command line.
    ///
    /// - Parameter arguments: The arguments without the program's name.
    /// - Returns: What is asked for; `--help` wins over any fault beside it.
    /// - Throws: The first fault.
    public static func parse(_ arguments: [String]) throws(UsageError) -> Request {
        guard let first = arguments.first else {
            throw UsageError("no command given", fix: "nearby-bridge --help lists them")
        }
        let names = CommandName.allCases.map(\.rawValue)
        switch first {
        case "--help", "-h": return .help(nil)
        case "--version": return .version
        case "help":
            return try help(arguments.dropFirst(), names)
        default: break
        }
        guard !first.hasPrefix("-") else {
            let common = CommandDescription.common.map(\.name)
            if let near = NearestName.of(String(first.drop { $0 == "-" }), in: common) {
                throw UsageError("unknown option \(PlainText.quote(name(of: first)))", fix: "did you mean --\(near)?")
            }
            throw UsageError(
                "expected a command before \(PlainText.quote(name(of: first)))",
                fix: "write for example nearby-bridge run \(PlainText.plain(name(of: first))) …"
            )
        }
        let description = CommandDescription.of(try command(first, names))
        let rest = arguments.dropFirst()
        let options = rest.prefix { $0 != "--" }
        if options.contains("--help") || options.contains("-h") { return .help(description.name) }
        if options.contains("--version") { return .version }
        var reading = Reading(description)
        try reading.read(rest)
        return .command(reading.arguments)
    }

    private static func help(_ rest: ArraySlice<String>, _ names: [String]) throws(UsageError) -> Request {
        guard let topic = rest.first, topic != "--help", topic != "-h", topic != "help" else { return .help(nil) }
        if let extra = rest.dropFirst().first {
            throw UsageError("help: unexpected argument \(PlainText.quote(name(of: extra)))", fix: "name one command")
        }
        return .help(try command(topic, names))
    }

    private static func command(_ text: String, _ names: [String]) throws(UsageError) -> CommandName {
        if let name = CommandName(rawValue: text) { return name }
        let near = NearestName.of(text, in: names).map { "did you mean \($0)?" }
        throw UsageError(
            "unknown command \(PlainText.quote(name(of: text)))",
            fix: near ?? "there are \(names.joined(separator: ", "))"
        )
    }

    /// What may be repeated of an argument: what follows the equals sign may be a secret.
    fileprivate static func name(of argument: String) -> String {
        String(argument.prefix { $0 != "=" })
    }
}

/// The arguments of one command while they are read.
private struct Reading {
    private let description: CommandDescription
    private(set) var arguments: ParsedArguments

    init(_ description: CommandDescription) {
        self.description = description
        arguments = ParsedArguments(command: description.name)
    }

    mutating func read(_ rest: ArraySlice<String>) throws(UsageError) {
        var rest = rest
        while let argument = rest.popFirst() {
            if argument == "--" {
                arguments.positionals += rest
                break
            }
            guard argument.hasPrefix("-"), argument != "-" else {
                arguments.positionals.append(argument)
                continue
            }
            let option = try option(argument)
            let inline = argument.firstIndex(of: "=").map { String(argument[argument.index(after: $0)...]) }
            if option.isFlag {
                guard inline == nil else { throw UsageError("--\(option.name) takes no value", fix: "leave out the =") }
                arguments.flags.insert(option.name)
            } else {
                let next = rest.first.flatMap { $0.hasPrefix("--") ? nil : $0 }
                if inline == nil, next != nil { rest.removeFirst() }
                try add(inline ?? next, to: option)
            }
        }
        try checkPositionals()
    }

    private func option(_ argument: String) throws(UsageError) -> CommandOption {
        let typed = ArgumentParser.name(of: argument)
        if let option = description.options.first(where: { "--\($0.name)" == typed }) { return option }
        let known = (description.options + CommandDescription.common).map(\.name)
        let near = NearestName.of(String(typed.drop { $0 == "-" }), in: known)
        throw UsageError(
            "\(description.name.rawValue): unknown option \(PlainText.quote(typed))",
            fix: near.map { "did you mean --\($0)?" } ?? "nearby-bridge \(description.name.rawValue) --help lists them"
        )
    }

    private mutating func add(_ value: String?, to option: CommandOption) throws(UsageError) {
        guard let value else {
            throw UsageError("--\(option.name) needs a value", fix: "write --\(option.name) \(option.valueName ?? "")")
        }
        if let type = option.type {
            let key = ConfigurationKey("--\(option.name)", type, default: option.defaultText, "")
            if let complaint = ConfigurationReader.complaint(value, of: key) {
                throw UsageError("--\(option.name): \(complaint.message)", fix: complaint.fix)
            }
        }
        guard option.isRepeatable || arguments.values[option.name] == nil else {
            throw UsageError("--\(option.name) is given twice", fix: "keep one of the two")
        }
        arguments.values[option.name, default: []].append(value)
    }

    private func checkPositionals() throws(UsageError) {
        let command = description.name.rawValue
        switch description.positional {
        case .none:
            guard let first = arguments.positionals.first else { return }
            let shown = ArgumentParser.name(of: first)
            let isSetting = first.contains("=") && description.options.contains { $0.name == "set" }
            throw UsageError(
                "\(command): unexpected argument \(PlainText.quote(shown))",
                fix: isSetting ? "write --set before it" : "nearby-bridge \(command) --help shows what it takes"
            )
        case .any, .zeroOrMore: return
        case .one(let name, let words):
            guard let first = arguments.positionals.first else {
                throw UsageError("\(command): expected a \(name)", fix: "write \(words.joined(separator: ", or "))")
            }
            try check(first, isOneOf: words, name)
        case .optional(let name, let words):
            if let first = arguments.positionals.first { try check(first, isOneOf: words, name) }
        case .oneOrMore(let name):
            guard arguments.positionals.isEmpty else { return }
            throw UsageError("\(command): expected at least one \(name)", fix: "write nearby-bridge \(command) \(name)")
        }
    }

    private func check(_ word: String, isOneOf words: [String], _ name: String) throws(UsageError) {
        let command = description.name.rawValue
        guard words.contains(word) else {
            let near = NearestName.of(word, in: words).map { "did you mean \($0)?" }
            throw UsageError(
                "\(command): unknown \(name) \(PlainText.quote(ArgumentParser.name(of: word)))",
                fix: near ?? "there are \(words.joined(separator: ", "))"
            )
        }
        if let extra = arguments.positionals.dropFirst().first {
            throw UsageError(
                "\(command): unexpected argument \(PlainText.quote(ArgumentParser.name(of: extra)))",
                fix: "name one \(name)"
            )
        }
    }
}
