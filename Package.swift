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

let arguments = Target.Dependency.product(
    name: "ArgumentParser", package: "swift-argument-parser")

/// The rooms beneath the engine, which tests may look into.
let rooms: [Target.Dependency] = [
    "Events", "EventLog", "Facts", "Commands", "Projections", "Proofs", "Cryptography",
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
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
    ],
    targets: [
        .systemLibrary(
            name: "CLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"])]),
        .systemLibrary(
            name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
        .systemLibrary(
            name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .target(name: "Cryptography", dependencies: ["COpenSSL"], swiftSettings: settings),
        .target(name: "Events", dependencies: ["Cryptography"], swiftSettings: read),
        .target(name: "Proofs", dependencies: ["Cryptography"], swiftSettings: read),
        .target(
            name: "EventLog", dependencies: ["Events", "CLMDB", "CZstd", "Cryptography"],
            swiftSettings: mapped),
        .target(name: "Facts", dependencies: ["Events"], swiftSettings: settings),
        .target(name: "Commands", dependencies: ["Events", "Facts"], swiftSettings: settings),
        .target(name: "Projections", dependencies: ["Events", "Facts"], swiftSettings: settings),
        .target(
            name: "Engine",
            dependencies: [
                "Events", "EventLog", "Facts", "Commands", "Projections", "Proofs", "Cryptography",
            ],
            swiftSettings: read),
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
        test("EventTests"), test("EventLogTests"), test("CommandTests"), test("EngineTests"),
        test("ReplayTests", ["replay"]), test("ProjectionTests"), test("PropertyTests"),
        test("HouseTests"), test("ProofTests"), test("CryptographyTests"),
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
