// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

let package = Package(
    name: "luaroute-performance",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "bench", targets: ["Bench"])
    ],
    dependencies: [
        // Named, so that the folder of a checkout may have any name.
        .package(name: "luaroute", path: "../..")
    ],
    targets: [
        // What the same work costs in plain C. It links the Lua that CLuaRoute links.
        .target(
            name: "CBaseline",
            linkerSettings: [
                .linkedLibrary("lua5.4", .when(platforms: [.linux])),
                .linkedLibrary("lua", .when(platforms: [.macOS])),
            ]
        ),
        .executableTarget(
            name: "Bench",
            dependencies: [
                "CBaseline",
                .product(name: "LuaVM", package: "luaroute"),
                .product(name: "LuaRouting", package: "luaroute"),
                .product(name: "ScenarioKit", package: "luaroute"),
            ],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("InternalImportsByDefault"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)
