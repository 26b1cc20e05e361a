// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "rollcall",
    products: [.library(name: "RollCall", targets: ["RollCall"])],
    dependencies: [.package(name: "sijill", path: "../..")],
    targets: [
        .target(name: "RollCall", dependencies: [.product(name: "Sijill", package: "sijill")]),
        .testTarget(
            name: "RollCallTests",
            dependencies: ["RollCall", .product(name: "Sijill", package: "sijill")]),
    ]
)
