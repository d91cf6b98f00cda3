// nearby-bridge · SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc

/// What is known about the screen behind a descriptor.
public enum Terminal {
    /// Whether a person looks at this descriptor.
    public static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// Whether to write colours: on a terminal that can show them, unless `NO_COLOR` is set to anything.
    public static func wantsColour(_ descriptor: Int32) -> Bool {
        wantsColour(
            isTerminal: isTerminal(descriptor),
            noColour: Environment.value("NO_COLOR"),
            terminalType: Environment.value("TERM")
        )
    }

    static func wantsColour(isTerminal: Bool, noColour: String?, terminalType: String?) -> Bool {
        // no-color.org: present and not empty, whatever the value.
        guard isTerminal, noColour ?? "" == "" else { return false }
        return terminalType != nil && terminalType != "dumb"
    }

    /// Columns of the terminal, or `nil` if it is none or does not say.
    public static func width(_ descriptor: Int32) -> Int? {
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }
}
