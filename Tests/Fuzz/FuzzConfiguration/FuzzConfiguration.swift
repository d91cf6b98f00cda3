// nearby-bridge · SPDX-License-Identifier: Apache-2.0

import NearbyBridge

/// The entry that libFuzzer calls: the input is a configuration file, and its first line a `--set` and a variable as well.
///
/// - Parameters:
///   - start: The first byte, `nil` if there is none.
///   - count: The number of bytes.
/// - Returns: 0, as libFuzzer wants it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzConfiguration(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    let override = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    do {
        let loaded = try ConfigurationLoader.load(file: ConfigurationFile(name: "fuzz.yaml", bytes: bytes))
        precondition(loaded.redacted.allSatisfy { !$0.key.isEmpty })
        precondition(loaded.configuration.zones.allSatisfy { $0.radius > 0 })
    } catch {
        precondition(!error.problems.isEmpty)
        precondition(error.problems.allSatisfy { !$0.description.contains { $0.isNewline } })
    }
    _ = try? ConfigurationLoader.load(overrides: [override])
    let variable = override.split(separator: "=", maxSplits: 1).map { String($0) }
    _ = try? ConfigurationLoader.load(
        environment: [("NEARBY_BRIDGE_\(variable.first ?? "")", variable.count > 1 ? variable[1] : nil)]
    )
    return 0
}
