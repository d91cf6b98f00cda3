// swift-tools-version: 6.2
// nearby-bridge · SPDX-License-Identifier: Apache-2.0
//
// No outside packages: the toolchain and Debian's C libraries only.

import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

func library(_ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
    .target(
        name: name,
        dependencies: dependencies,
        exclude: exclude,
        swiftSettings: strict,
        // Rounding is a call into libm, which only an import of Glibc would link by itself.
        linkerSettings: [.linkedLibrary("m")]
    )
}

func tests(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []) -> Target {
    .testTarget(
        name: name,
        dependencies: dependencies + ["TestSupport"],
        resources: resources,
        swiftSettings: strict
    )
}

let package = Package(
    name: "nearby-bridge",
    products: [
        .executable(name: "nearby-bridge", targets: ["nearby-bridge"]),
        .library(name: "NearbyCore", targets: ["NearbyCore"]),
    ],
    targets: [
        .systemLibrary(name: "CLinux", path: "Sources/CLinux"),
        .systemLibrary(name: "CMosquitto", path: "Sources/CMosquitto", providers: [.apt(["libmosquitto-dev"])]),
        .systemLibrary(name: "CSQLite", path: "Sources/CSQLite", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CYAML", path: "Sources/CYAML", providers: [.apt(["libyaml-dev"])]),
        .systemLibrary(name: "CZlib", path: "Sources/CZlib", providers: [.apt(["zlib1g-dev"])]),

        library("NearbyCore"),
        library("LinuxSystem", ["CLinux"]),
        library("MosquittoClient", ["CMosquitto", "LinuxSystem"]),
        library("YAML", ["CYAML"]),
        library("SQLiteStore", ["CSQLite"]),
        library("Gzip", ["CZlib"]),
        library("NearbyBridge", ["NearbyCore", "LinuxSystem", "MosquittoClient", "SQLiteStore", "YAML", "Gzip"]),
        .executableTarget(name: "nearby-bridge", dependencies: ["NearbyBridge"], swiftSettings: strict),

        .target(
            name: "TestSupport",
            dependencies: ["NearbyCore", "LinuxSystem", "MosquittoClient"],
            path: "Tests/TestSupport",
            swiftSettings: strict
        ),
        tests("LinuxSystemTests", ["LinuxSystem"]),
        tests("MosquittoClientTests", ["MosquittoClient", "LinuxSystem"]),
        tests("YAMLTests", ["YAML"]),
        tests("SQLiteStoreTests", ["SQLiteStore"]),
        tests("GzipTests", ["Gzip"]),
        // An example for another platform, compiled here against a stub and played as a phone by a test.
        .target(
            name: "RelayExample",
            path: "Examples/ios-relay",
            exclude: ["README.md"],
            swiftSettings: strict
        ),
        tests("EndToEndTests", ["LinuxSystem", "MosquittoClient", "NearbyBridge", "RelayExample"]),
    ] + benchTargets + pureTests + fuzzTargets
)

/// What the benchmarks count allocations with stands in the way of a sanitizer.
var benchTargets: [Target] {
    guard Context.environment["NEARBY_SANITIZE"] == nil, Context.environment["NEARBY_FUZZ"] == nil else { return [] }
    return [
        .target(name: "CAllocations", path: "Sources/CAllocations"),
        .target(name: "CBareClients", dependencies: ["CMosquitto"], path: "Sources/CBareClients"),
        .executableTarget(
            name: "nearby-bench",
            dependencies: [
                "NearbyCore", "NearbyBridge", "MosquittoClient", "LinuxSystem", "CAllocations", "CBareClients",
            ],
            swiftSettings: strict
        ),
    ]
}

/// Tests of code that has neither threads nor unsafe memory: half of the build, and nothing that a sanitizer could find.
var pureTests: [Target] {
    guard Context.environment["NEARBY_SANITIZE"] == nil else { return [] }
    return [
        tests("NearbyCoreTests", ["NearbyCore"]),
        tests("NearbyBridgeTests", ["NearbyBridge", "NearbyCore", "LinuxSystem", "SQLiteStore", "YAML", "Gzip"]),
    ]
}

/// Fuzz targets link libFuzzer's `main`, so an ordinary build must not see them: `make fuzz` sets `NEARBY_FUZZ`.
var fuzzTargets: [Target] {
    guard Context.environment["NEARBY_FUZZ"] != nil else { return [] }
    let fuzz: [SwiftSetting] = strict + [.unsafeFlags(["-sanitize=fuzzer", "-parse-as-library"])]
    func target(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
        .executableTarget(
            name: name,
            dependencies: dependencies,
            path: "Tests/Fuzz/\(name)",
            exclude: ["Corpus"],
            swiftSettings: fuzz,
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer"])]
        )
    }
    return [
        target("FuzzJSON", ["NearbyCore"]),
        target("FuzzConfiguration", ["NearbyBridge"]),
        target("FuzzAccessory", ["NearbyCore"]),
        target("FuzzReports", ["NearbyCore"]),
    ]
}
