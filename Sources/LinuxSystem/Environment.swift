// nearby-bridge · SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc

/// The environment of this process.
public enum Environment {
    /// The value of a variable, `nil` if it is not set.
    public static func value(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }

    /// The variables whose names begin so, sorted by name; the value is `nil` if it is not UTF-8.
    public static func variables(beginningWith prefix: String) -> [(name: String, value: String?)] {
        var variables: [(name: String, value: String?)] = []
        guard var entry = unsafe nb_environment() else { return [] }
        while let line = unsafe entry.pointee {
            let bytes = unsafe UnsafeBufferPointer(start: line, count: strlen(line)).map { UInt8(bitPattern: $0) }
            unsafe entry += 1
            guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let name = String(decoding: bytes[..<equals], as: UTF8.self)
            guard name.hasPrefix(prefix) else { continue }
            variables.append((name, String(validating: bytes[(equals + 1)...], as: UTF8.self)))
        }
        return variables.sorted { $0.name < $1.name }
    }
}
