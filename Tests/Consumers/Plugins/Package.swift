// swift-tools-version: 6.2
import PackageDescription

// An app whose typed routes the build tool plugin writes. With LUAROUTE_COMMAND its dependency has the trait
// of the command plugin, and with LUAROUTE_BROKEN there is a target whose scripts do not load.
let traits: Set<Package.Dependency.Trait> =
    Context.environment["LUAROUTE_COMMAND"] == nil ? [.defaults] : ["CommandLine"]
let broken: [Target] =
    Context.environment["LUAROUTE_BROKEN"] == nil
    ? []
    : [
        .target(
            name: "Broken",
            exclude: ["Scripts"],
            plugins: [.plugin(name: "RoutesPlugin", package: "luaroute")]
        )
    ]

let package = Package(
    name: "Plugins",
    platforms: [.macOS(.v13)],
    dependencies: [
        // The name does not depend on the folder of the checkout.
        .package(name: "luaroute", path: "../../..", traits: traits)
    ],
    targets: [
        .executableTarget(
            name: "Shop",
            dependencies: [.product(name: "LuaRouting", package: "luaroute")],
            // An app copies them as a resource; this one is given their path.
            exclude: ["Scripts"],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error),
                .defaultIsolation(MainActor.self),
            ],
            plugins: [.plugin(name: "RoutesPlugin", package: "luaroute")]
        )
    ] + broken,
    swiftLanguageModes: [.v6]
)
