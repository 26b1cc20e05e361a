// swift-tools-version: 6.2
import PackageDescription

/// Where libFuzzer lies. Only `Scripts/fuzz.sh` says so, which builds in a place of its own.
let fuzzer = Context.environment["SIJILL_FUZZER"]

/// One list of settings for every target: the compiler is the first reviewer (ADR 0001).
let settings: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .treatAllWarnings(as: .error),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("ExistentialAny"),
        .strictMemorySafety(),
    ] + (fuzzer == nil ? [] : [.define("FUZZING"), .unsafeFlags(["-enable-testing"])])

/// Of rooms that read what others may have written: fuzzing sees which way they go.
let read = settings + (fuzzer == nil ? [] : [.unsafeFlags(["-sanitize=fuzzer"])])
/// Of the one that does so in mapped memory.
let mapped = read + (fuzzer == nil ? [] : [.unsafeFlags(["-sanitize=address"])])

let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let arguments = Target.Dependency.product(
    name: "ArgumentParser", package: "swift-argument-parser")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let metrics = Target.Dependency.product(name: "Metrics", package: "swift-metrics")

/// The rooms beneath the engine, which tests may look into.
let rooms: [Target.Dependency] = [
    "Events", "EventLog", "Facts", "Commands", "Projections", "Proofs",
]

func test(_ name: String, _ more: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: name, dependencies: ["Engine", "TestSupport"] + rooms + more,
        swiftSettings: settings)
}

let package = Package(
    name: "sijill",
    products: [
        .executable(name: "replay", targets: ["replay"]),
        .library(name: "Engine", targets: ["Engine"]),
        .library(name: "EngineObservability", targets: ["EngineObservability"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    ],
    targets: [
        .systemLibrary(
            name: "CLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"])]),
        .systemLibrary(
            name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
        .target(name: "Events", dependencies: [crypto], swiftSettings: read),
        .target(name: "Proofs", dependencies: [crypto], swiftSettings: read),
        .target(
            name: "EventLog", dependencies: ["Events", "CLMDB", "CZstd", crypto],
            swiftSettings: mapped),
        .target(name: "Facts", dependencies: ["Events"], swiftSettings: settings),
        .target(name: "Commands", dependencies: ["Events", "Facts"], swiftSettings: settings),
        .target(name: "Projections", dependencies: ["Events", "Facts"], swiftSettings: settings),
        .target(
            name: "Engine",
            dependencies: ["Events", "EventLog", "Facts", "Commands", "Projections", "Proofs"],
            swiftSettings: read),
        // What an engine tells, as log lines and metrics: for services that have these packages anyway.
        .target(
            name: "EngineObservability", dependencies: ["Engine", logging, metrics],
            swiftSettings: settings),
        .executableTarget(
            name: "replay", dependencies: ["Engine", arguments], swiftSettings: settings),
        .executableTarget(
            name: "benchmark", dependencies: ["Engine", "EventLog", "Events"],
            path: "Benchmarks/Sources/benchmark", swiftSettings: settings),
        .target(name: "TestSupport", dependencies: ["Engine"] + rooms, swiftSettings: settings),
        // What fuzzing runs, and the tests of it run as well.
        .target(
            name: "FuzzTargets", dependencies: ["Engine", "TestSupport"] + rooms,
            path: "Tests/Fuzz/Targets", swiftSettings: settings),
        test("FaultTests", ["FuzzTargets"]),
        test("EventTests"), test("EventLogTests"), test("CommandTests"),
        test("EngineTests", ["EngineObservability", logging, metrics]),
        test("ReplayTests", ["replay"]), test("ProjectionTests"), test("PropertyTests"),
        test("HouseTests"), test("ProofTests"),
    ]
)

if let fuzzer {
    package.targets.append(
        .executableTarget(
            name: "fuzz", dependencies: ["FuzzTargets"], path: "Tests/Fuzz/Driver",
            swiftSettings: settings,
            // GNU's linkers cannot read what the sanitizer leaves behind.
            linkerSettings: [
                .unsafeFlags(["-sanitize=address", "-use-ld=lld", fuzzer]),
                .linkedLibrary("stdc++"),
            ]))
}
