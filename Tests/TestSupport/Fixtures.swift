// nearby-bridge · SPDX-License-Identifier: Apache-2.0

public import LinuxSystem

/// Files that tests read, in `Tests/Fixtures` of the checkout.
public enum Fixtures {
    /// The sixteen recorded walks, without folder and ending.
    public static let walks = ["los", "nlos"].flatMap { path in
        ["case3", "case4"].flatMap { track in ["a3", "a5", "a9", "a12"].map { "\(path)-\(track)-\($0)" } }
    }

    /// The folder of the checkout.
    public static let checkout = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

    /// The path of a fixture.
    public static func path(_ name: String) -> String { "\(checkout)/Tests/Fixtures/\(name)" }

    /// A document of the checkout.
    public static func document(_ name: String) throws(TextFile.Failure) -> String {
        String(decoding: try TextFile.read("\(checkout)/\(name)", maximumBytes: 1 << 20), as: UTF8.self)
    }

    /// The bytes of a file in `Examples`.
    public static func example(_ name: String) throws(TextFile.Failure) -> [UInt8] {
        try TextFile.read(path("../../Examples/\(name)"), maximumBytes: 1 << 20)
    }

    /// The bytes of a fixture.
    public static func read(_ name: String) throws(TextFile.Failure) -> [UInt8] {
        try TextFile.read(path(name), maximumBytes: 16 << 20)
    }
}
