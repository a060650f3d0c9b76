// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "luaroute-fuzz",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "fuzz", targets: ["Fuzz"])
    ],
    dependencies: [
        // With LUAROUTE_FUZZING in the environment it offers the product FuzzTargets, which is
        // nobody else's business. Named, so that the folder of a checkout may have any name.
        .package(name: "luaroute", path: "../..")
    ],
    targets: [
        .target(name: "CFuzzer"),
        .executableTarget(
            name: "Fuzz",
            dependencies: ["CFuzzer", .product(name: "FuzzTargets", package: "luaroute")],
            swiftSettings: strict
        ),
    ],
    swiftLanguageModes: [.v6]
)
