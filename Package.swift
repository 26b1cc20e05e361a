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
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let metrics = Target.Dependency.product(name: "Metrics", package: "swift-metrics")

/// The products. Each has a target in every room, such as `LearnableFacts` in `Sources/Facts/Learnable`:
/// what one product says, no other can see, and a room sees the rooms beneath it alone (ADR 0035).
let products = ["ExamRoom", "QuranFlow", "Learnable", "Tafawoq"]

func rooms(of product: String) -> [Target] {
    func room(_ name: String, _ machinery: [Target.Dependency], _ beneath: [String]) -> Target {
        .target(
            name: product + name,
            dependencies: machinery + beneath.map { .init(stringLiteral: product + $0) },
            path: "Sources/\(name)/\(product)", swiftSettings: name == "Events" ? read : settings)
    }
    return [
        room("Events", ["Core"], []),
        room("Facts", ["Core", "Folding"], ["Events"]),
        room("Commands", ["Core", "Folding", "Commands"], ["Events", "Facts"]),
        room("Projections", ["Core", "Folding", "Projections"], ["Events", "Facts"]),
    ]
}

/// What stands beneath the engine and knows no product.
let machinery: [Target.Dependency] = [
    "Core", "Folding", "EventLog", "Commands", "Projections", "Proofs", "Cryptography",
]
let vocabulary = products.flatMap { rooms(of: $0) }
/// Everything beneath the engine, which tests may look into.
let beneath = machinery + vocabulary.map { Target.Dependency(stringLiteral: $0.name) }

/// `data` are folders of files that the tests read from the tree.
func test(
    _ name: String, _ more: [Target.Dependency] = [], data: [String] = []
) -> Target {
    .testTarget(
        name: name, dependencies: ["Engine", "Products", "TestSupport"] + beneath + more,
        exclude: data,
        // Built with the optimised engine, they would take longer to compile than they save (ADR 0066).
        swiftSettings: settings + [.unsafeFlags(["-Onone"], .when(configuration: .release))])
}

let package = Package(
    name: "sijill",
    products: [
        .executable(name: "replay", targets: ["replay"]),
        .executable(name: "sijilld", targets: ["sijilld"]),
        .library(name: "Engine", targets: ["Engine", "Products"]),
        // What a product of another package is made with (docs/adding.md).
        .library(
            name: "Sijill",
            targets: ["Core", "Folding", "Commands", "Projections", "Engine"]),
        .library(name: "EngineObservability", targets: ["EngineObservability"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        // The service alone.
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.34.1"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
        .package(url: "https://github.com/apple/swift-certificates.git", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-asn1.git", from: "1.7.4"),
    ],
    targets: [
        .systemLibrary(
            name: "CLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"])]),
        .systemLibrary(
            name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
        .systemLibrary(
            name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(
            name: "CPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(
            name: "CNATS", pkgConfig: "libnats", providers: [.apt(["libnats-dev"])]),
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CMalloc"),
        .systemLibrary(name: "CLinux"),
        .target(name: "Cryptography", dependencies: ["COpenSSL"], swiftSettings: settings),
        .target(name: "Core", dependencies: ["Cryptography"], swiftSettings: read),
        .target(name: "Proofs", dependencies: ["Cryptography"], swiftSettings: read),
        .target(
            name: "EventLog",
            dependencies: ["Core", "CLMDB", "CZstd", "CLinux", "Cryptography"],
            swiftSettings: mapped),
        .target(name: "Folding", dependencies: ["Core"], swiftSettings: settings),
        .target(
            name: "Commands", dependencies: ["Core", "Folding"], exclude: products,
            swiftSettings: settings),
        .target(
            name: "Projections", dependencies: ["Core", "Folding"], exclude: products,
            swiftSettings: settings),
        .target(name: "Engine", dependencies: machinery + ["CMalloc"], swiftSettings: read),
        // The list of the products that this package ships.
        .target(
            name: "Products",
            dependencies: ["Engine"] + vocabulary.map { .init(stringLiteral: $0.name) },
            swiftSettings: settings),
        // What an engine tells, as log lines and metrics: for services that have these packages anyway.
        .target(
            name: "EngineObservability", dependencies: ["Engine", logging, metrics],
            swiftSettings: settings),
        .target(name: "PostgreSQL", dependencies: ["CPQ"], swiftSettings: settings),
        .target(
            name: "NATS", dependencies: ["CNATS", "Core", "Proofs"], swiftSettings: settings),
        // Read models as tables of a database (docs/sink.md).
        .target(
            name: "Sink", dependencies: ["Core", "Engine", "Products", "PostgreSQL", "CSQLite"],
            swiftSettings: settings),
        // Frames in a log that several machines have (docs/log.md).
        .target(
            name: "ReplicatedLog",
            dependencies: ["Core", "Engine", "EventLog", "PostgreSQL", "NATS"],
            swiftSettings: settings),
        .executableTarget(
            name: "replay",
            dependencies: ["Engine", "Products", "ReplicatedLog", "Sink", arguments],
            swiftSettings: settings),
        // The pages that people look at (docs/console.md).
        .target(
            name: "Console", dependencies: ["Core"],
            resources: [
                "console.css", "icon.svg", "job.js", "live.js", "slider.js", "tlog.js", "verify.js",
                "wait.js",
                "check.html",
            ].map { .embedInCode("Assets/\($0)") }, swiftSettings: settings),
        // What other programs talk to (docs/service.md).
        .target(
            name: "Service",
            dependencies: [
                "Console", "Core", "Cryptography", "Engine", "EventLog", "Products",
                "ReplicatedLog", "Sink", "EngineObservability", logging, metrics,
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HummingbirdTLS", package: "hummingbird"),
                .product(name: "HummingbirdHTTP2", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOFoundationCompat", package: "swift-nio"),
                .product(name: "JWTKit", package: "jwt-kit"),
                .product(name: "X509", package: "swift-certificates"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
            ], swiftSettings: settings),
        .executableTarget(
            name: "sijilld",
            dependencies: [
                "Service", "Core", "Engine", "ReplicatedLog", "CMalloc", arguments, logging,
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "benchmark", dependencies: ["Engine", "Products"] + beneath,
            path: "Benchmarks/Sources/benchmark", swiftSettings: settings),
        // What the service is measured beside.
        .executableTarget(
            name: "served",
            dependencies: [
                "Engine", "Products", logging,
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "Benchmarks/Sources/served", swiftSettings: settings),
        .target(
            name: "TestSupport", dependencies: ["Engine", "Products"] + beneath,
            path: "Tests/TestSupport", swiftSettings: settings),
        // What fuzzing runs, and the tests of it run as well.
        .target(
            name: "FuzzTargets", dependencies: ["Engine", "Products", "TestSupport"] + beneath,
            path: "Tests/Fuzz/Targets", swiftSettings: settings),
        test("FaultTests", ["FuzzTargets"]),
        test("EventTests", data: ["Fixtures"]), test("EventLogTests"), test("CommandTests"),
        test("EngineTests", ["EngineObservability", logging, metrics], data: ["Former"]),
        test("ReplayTests", ["replay"]), test("ProjectionTests"), test("PropertyTests"),
        test("HouseTests"), test("ProofTests"), test("CryptographyTests"),
    ] + vocabulary
)

// Under the sanitizers, the service's packages and most tests would be built for nothing.
if Context.environment["SIJILL_SANITIZED"] != nil {
    let sanitized = ["EventLogTests", "EngineTests"]
    package.targets.removeAll {
        ["Console", "Service", "sijilld", "served", "benchmark", "FuzzTargets"].contains($0.name)
            || $0.type == .test && !sanitized.contains($0.name)
    }
    package.products.removeAll { $0.name == "sijilld" }
}

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
