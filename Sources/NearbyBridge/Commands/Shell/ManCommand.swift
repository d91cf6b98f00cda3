// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import LinuxSystem

/// `nearby-bridge man`: manual pages.
enum ManCommand {
    /// Prints one page, or writes all of them into a folder.
    static func run(_ arguments: ParsedArguments) throws(CommandFailure) {
        guard let folder = arguments.text("output") else {
            let command = arguments.positionals.first.flatMap(CommandName.init(rawValue:))
            StandardStream.output.write(ManualPage.text(for: command))
            return
        }
        guard arguments.positionals.isEmpty else {
            throw CommandFailure(.usage, "--output writes every page; leave out the command")
        }
        var path = folder
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            for page in ManualPage.all {
                path = "\(folder)/\(page.name).1"
                try Data(page.text.utf8).write(to: URL(filePath: path))
            }
        } catch {
            throw CommandFailure(
                .unavailable,
                "cannot write \(path): is the folder there, and may this user write in it?"
            )
        }
        StandardStream.output.write("wrote \(ManualPage.all.count) pages to \(folder)\n")
    }
}
