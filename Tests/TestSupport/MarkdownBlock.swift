// nearby-bridge · SPDX-License-Identifier: Apache-2.0

/// A fenced block of a Markdown document.
public struct MarkdownBlock: Sendable, Equatable {
    /// The word behind the fence, empty if there is none.
    public let language: String
    /// What stands between the fences, without the last line break.
    public let text: String
    /// The line of the opening fence, counted from 1.
    public let line: Int
    /// How many headings stand before it.
    public let section: Int

    /// The lines of the text.
    public var lines: [String] { text.split(separator: "\n").map(String.init) }

    /// All fenced blocks of a document, in order.
    public static func all(in document: String) -> [MarkdownBlock] {
        var blocks: [MarkdownBlock] = []
        var section = 0
        var open: (language: String, line: Int, text: [Substring])?
        for (index, line) in document.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard line.hasPrefix("```") else {
                if open == nil, line.hasPrefix("#") { section += 1 }
                open?.text.append(line)
                continue
            }
            if let block = open {
                let text = block.text.joined(separator: "\n")
                blocks.append(MarkdownBlock(language: block.language, text: text, line: block.line, section: section))
                open = nil
            } else {
                open = (String(line.dropFirst(3)), index + 1, [])
            }
        }
        return blocks
    }

    /// Shell blocks, each with the plain block that shows its output, if one follows in the same section before the next shell block.
    public static func commands(in document: String) -> [(command: MarkdownBlock, output: MarkdownBlock?)] {
        let blocks = all(in: document).filter { ["sh", ""].contains($0.language) }
        return blocks.indices.filter { blocks[$0].language == "sh" }.map { index in
            let next = index + 1 < blocks.count ? blocks[index + 1] : nil
            let isItsOutput = next?.language == "" && next?.section == blocks[index].section
            return (blocks[index], isItsOutput ? next : nil)
        }
    }
}
