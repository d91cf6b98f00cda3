// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// The completion script for bash.
///
/// Works with and without the package bash-completion. It reads the line itself, because bash breaks words at `=` and
/// `:`, which stand in the middle of ours.
enum BashCompletion {
    /// The script.
    static var text: String {
        """
        # bash completion for nearby-bridge, printed by: nearby-bridge completions bash

        _nearby_bridge() {
            local line word previous value prefix="" head="" command="" words
            line=${COMP_LINE:0:COMP_POINT}
            word=${line##*[[:space:]]}
            read -ra words <<<"${line%"$word"}"
            previous=${words[${#words[@]} - 1]}
            command=${words[1]-}
            value=$word
            if [[ $word == --*=* ]]; then
                previous=${word%%=*}
                value=${word#*=}
                prefix=$previous=
            fi
            COMPREPLY=()

            case "$command $previous" in
        \(values)
            *)
                if [[ $word == -* ]]; then
                    case $command in
        \(options)
                    esac
                else
                    case $command in
        \(positionals)
                    esac
                fi
                ;;
            esac

            # What bash itself takes for words of their own must not come twice.
            [[ $COMP_WORDBREAKS == *=* && $word == *=* ]] && head=${word%"${word##*=}"}
            [[ $COMP_WORDBREAKS == *:* && ${word#"$head"} == *:* ]] && head=${word%"${word##*:}"}
            COMPREPLY=("${COMPREPLY[@]/#/$prefix}")
            COMPREPLY=("${COMPREPLY[@]#"$head"}")
            [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
            return 0
        }

        \(helpers)

        complete -F _nearby_bridge nearby-bridge

        """
    }

    /// What the function above calls.
    private static let helpers = """
        _nearby_bridge_files() {
                        compopt -o filenames 2>/dev/null
            mapfile -t COMPREPLY < <(compgen "$1" -- "$2")
        }

        _nearby_bridge_words() {
            mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2")
        }
        """

    /// One branch for all options whose values are completed the same way.
    private static var values: String {
        var patterns: [(completion: ValueCompletion, patterns: [String])] = []
        for command in CompletionScript.commands {
            for option in command.options where !option.isFlag {
                let pattern = CompletionScript.quote("\(command.name.rawValue) --\(option.name)")
                if let index = patterns.firstIndex(where: { $0.completion == option.completion }) {
                    patterns[index].patterns.append(pattern)
                } else {
                    patterns.append((option.completion, [pattern]))
                }
            }
        }
        return patterns.map {
            "    \($0.patterns.joined(separator: " | ")))\n        \(action($0.completion))\n        ;;"
        }
        .joined(separator: "\n")
    }

    private static var options: String {
        CompletionScript.commands.map { command in
            let names = (command.options + CommandDescription.common).map { "--\($0.name)" }
            return branch(command.name.rawValue, .words(names))
        }.joined(separator: "\n") + "\n" + branch("*", .words(CommandDescription.common.map { "--\($0.name)" }))
    }

    private static var positionals: String {
        let names = ValueCompletion.words(CommandName.allCases.map(\.rawValue) + ["help"])
        return
            (CompletionScript.commands.filter { $0.positional.completion != .nothing }.map {
                branch($0.name.rawValue, $0.positional.completion)
            } + [branch("'' | help", names)]).joined(separator: "\n")
    }

    private static func branch(_ pattern: String, _ completion: ValueCompletion) -> String {
        "            \(pattern)) \(action(completion)) ;;"
    }

    private static func action(_ completion: ValueCompletion) -> String {
        switch completion {
        case .nothing: ":"
        case .files: "_nearby_bridge_files -f \"$value\""
        case .folders: "_nearby_bridge_files -d \"$value\""
        case .words(let words):
            "_nearby_bridge_words \(CompletionScript.quote(words.joined(separator: " "))) \"$value\""
        case .settings:
            "_nearby_bridge_words \(CompletionScript.quote(ValueCompletion.everySetting.joined(separator: " "))) \"$value\""
        }
    }
}
