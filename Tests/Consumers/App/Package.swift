// swift-tools-version: 6.2
import PackageDescription

// Apps as users of the package write them: each file also imports Foundation, whose names must not
// collide with those of LuaRouting. No warning is accepted.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .treatAllWarnings(as: .error),
]

// Files of 'luaroute types --swift', which the consumer step of `scripts/test` writes: a target each.
let generated = (Context.environment["LUAROUTE_GENERATED"] ?? "").split(separator: " ")

let package = Package(
    name: "App",
    platforms: [.macOS(.v15)],
    dependencies: [
        // The name does not depend on the folder of the checkout.
        .package(name: "luaroute", path: "../../..")
    ],
    targets: [
        // An app whose declarations are isolated to the main actor by default.
        .executableTarget(
            name: "App",
            dependencies: [.product(name: "LuaRouting", package: "luaroute")],
            swiftSettings: strict + [.defaultIsolation(MainActor.self)]
        ),
        // The app of the tutorial.
        .executableTarget(
            name: "Kitchen",
            dependencies: [.product(name: "LuaRouting", package: "luaroute")],
            swiftSettings: strict
        ),
        // The host of the article `FirstHost`, with the isolation written out.
        .executableTarget(
            name: "Plain",
            dependencies: [.product(name: "LuaRouting", package: "luaroute")],
            swiftSettings: strict
        ),
        // The example `scripts/podcast` with typed routes.
        .executableTarget(
            name: "Podcast",
            dependencies: [.product(name: "LuaRouting", package: "luaroute")],
            swiftSettings: strict
        ),
        .testTarget(
            name: "AppTests",
            dependencies: [
                .product(name: "LuaRouting", package: "luaroute"),
                .product(name: "ScenarioKit", package: "luaroute"),
                .product(name: "ScenarioTesting", package: "luaroute"),
            ],
            swiftSettings: strict
        ),
    ]
        + generated.map { name in
            .target(
                name: "Generated\(name)",
                dependencies: [.product(name: "LuaRouting", package: "luaroute")],
                path: "Generated/\(name)",
                swiftSettings: strict + [.defaultIsolation(MainActor.self)]
            )
        },
    swiftLanguageModes: [.v6]
)
