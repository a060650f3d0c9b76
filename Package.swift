// swift-tools-version: 6.2
import Foundation
import PackageDescription

let strict: [SwiftSetting] = [
    // An existential costs a box and a witness call: the code says where it has one.
    .enableUpcomingFeature("ExistentialAny"),
    // A file names each module whose members it uses, so the arrows between modules stay visible.
    .enableUpcomingFeature("MemberImportVisibility"),
    // No type of a dependency slips into a public signature.
    .enableUpcomingFeature("InternalImportsByDefault"),
]

/// The settings of a target that is empty without a trait: other traits, `Development` among them,
/// have it too.
func strict(with trait: String, or others: Set<String> = ["Development"]) -> [SwiftSetting] {
    strict + [.define(trait, .when(traits: others))]
}

// The command is built for size where little time is spent. The flag is unsafe for SwiftPM, and no
// package that others depend on may have it: `scripts/dev/setup.sh` asks for it.
let small: [SwiftSetting] =
    Context.environment["LUAROUTE_SMALL"] == nil
    ? [] : [.unsafeFlags(["-Osize"], .when(configuration: .release))]

/// The traits that build signed bundles.
let bundling: Set<String> = ["BundleCommand", "Development"]

// The code for a resource imports Foundation, so it is one where an app has to declare what it reads.
#if os(macOS)
let privacy: (excluded: [String], resources: [Resource]) = ([], [.copy("PrivacyInfo.xcprivacy")])
#else
let privacy: (excluded: [String], resources: [Resource]) = (["PrivacyInfo.xcprivacy"], [])
#endif

// What is fuzzed is a product for the package `Tests/Fuzzing` alone.
let fuzzing: [Product] =
    Context.environment["LUAROUTE_FUZZING"] == nil
    ? [] : [.library(name: "FuzzTargets", targets: ["FuzzTargets"])]

// Benchmarks against plain C: a part of this package, so that their release build has the modules
// in common with that of the command. `scripts/dev/bench.sh` builds and runs them.
let benchmarks: (products: [Product], targets: [Target]) =
    Context.environment["LUAROUTE_BENCHMARKS"] == nil
    ? ([], [])
    : (
        [.executable(name: "bench", targets: ["Bench"])],
        [
            // The same work in plain C, with the same Lua as CLuaRoute.
            .target(
                name: "CBaseline",
                path: "Tests/Performance/Sources/CBaseline",
                cSettings: [.headerSearchPath("../../../../CLua")]
            ),
            .executableTarget(
                name: "Bench",
                dependencies: [
                    "CBaseline", "LuaVM", "LuaRouting", "ScenarioKit", "LuaRouteUIKit",
                    "LuaRouteObservation", "SystemGaps", "UIKitStandin",
                ],
                path: "Tests/Performance/Sources/Bench",
                swiftSettings: strict
            ),
        ]
    )

// A consumer that uses a plugin builds what the plugin needs, and no other does. A build of this package
// itself would compile all of it twice, so there are none in its own folder.
let plugins: (products: [Product], targets: [Target]) =
    Context.environment["PWD"] == Context.packageDirectory
    ? ([], [])
    : (
        [
            .plugin(name: "RoutesPlugin", targets: ["RoutesPlugin"]),
            .plugin(name: "LuaRoutePlugin", targets: ["LuaRoutePlugin"]),
        ],
        [
            // Writes the typed routes of a target before it is compiled.
            .plugin(
                name: "RoutesPlugin",
                capability: .buildTool(),
                dependencies: ["RoutesTool"],
                path: "Sources/Plugins/RoutesPlugin"
            ),
            // Runs the command; it needs the trait `CommandLine`.
            .plugin(
                name: "LuaRoutePlugin",
                capability: .command(
                    intent: .custom(verb: "luaroute", description: "Runs the command luaroute.")
                ),
                dependencies: ["LuaRouteCommand"],
                path: "Sources/Plugins/LuaRoutePlugin"
            ),
        ]
    )

let package = Package(
    name: "luaroute",
    // The oldest systems that have clocks: what is newer is in SystemGaps. `LuaRouteObservation` is of
    // iOS 17 and macOS 14.
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .library(name: "LuaRouting", targets: ["LuaRouting"]),
        // URLs and localized errors, for apps that import Foundation.
        .library(name: "LuaRouteFoundation", targets: ["LuaRouteFoundation"]),
        .library(name: "ScenarioKit", targets: ["ScenarioKit"]),
        // Scenarios as cases of Swift tests. It needs Testing: only test targets can link it.
        .library(name: "ScenarioTesting", targets: ["ScenarioTesting"]),
        // For development: an app that is shipped need not link it.
        .library(name: "LuaRouteWatching", targets: ["LuaRouteWatching"]),
        // Events as logs of swift-log and as metrics of swift-metrics: empty without their traits.
        .library(name: "LuaRouteLogging", targets: ["LuaRouteLogging"]),
        .library(name: "LuaRouteMetrics", targets: ["LuaRouteMetrics"]),
        // Signed bundles: empty without its trait.
        .library(name: "LuaRouteBundles", targets: ["LuaRouteBundles"]),
        // A host that shows the tree by view controllers.
        .library(name: "LuaRouteUIKit", targets: ["LuaRouteUIKit"]),
        // A host that views of SwiftUI observe.
        .library(name: "LuaRouteObservation", targets: ["LuaRouteObservation"]),
        // The border alone, for hosts that add functions of their own, and for the benchmarks.
        .library(name: "LuaVM", targets: ["LuaVM"]),
        .executable(name: "luaroute", targets: ["LuaRouteCommand"]),
        // The command that makes, signs and verifies bundles, apart from one without cryptography.
        .executable(name: "luaroute-bundle", targets: ["LuaRouteBundleCommand"]),
    ] + plugins.products + fuzzing + benchmarks.products,
    traits: [
        // An app that uses the libraries resolves no dependency.
        .trait(
            name: "CommandLine",
            description: "Builds the command 'luaroute', which needs swift-argument-parser."
        ),
        .trait(
            name: "Logging",
            description: "Fills the library 'LuaRouteLogging', which needs swift-log."
        ),
        .trait(
            name: "Metrics",
            description: "Fills the library 'LuaRouteMetrics', which needs swift-metrics."
        ),
        .trait(
            name: "Bundles",
            description: "Fills the library 'LuaRouteBundles', which needs swift-crypto."
        ),
        .trait(
            name: "BundleCommand",
            description:
                "Builds the command 'luaroute-bundle', which needs swift-crypto and swift-argument-parser."
        ),
        // One trait and not all of them: SwiftPM passes several in an order that changes from run to
        // run, and then compiles every module again.
        .trait(
            name: "Development",
            description: "Builds all of these, for the tests of this package."
        ),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-crypto", "3.12.3"..<"5.0.0"),
    ],
    targets: [
        // Everything that may longjmp, as one translation unit. Which Lua it uses, and whether a library
        // is linked for it, is decided there: the slot for Lua's sources may be filled at any time.
        .target(
            name: "CLuaRoute",
            path: "CLua",
            exclude: ["Lua"],
            sources: ["CLuaRoute.c"]
        ),
        // Locks, atomic numbers and checked strings, which older systems of Apple lack; and the C library
        // of each system.
        .target(name: "CAtomics"),
        .target(name: "SystemGaps", dependencies: ["CAtomics"], swiftSettings: strict),
        .target(name: "LuaVM", dependencies: ["CLuaRoute", "SystemGaps"], swiftSettings: strict),
        .target(name: "RouteCore", dependencies: ["SystemGaps"], swiftSettings: strict),
        // The URL language: patterns, and the tables that match URLs against them.
        .target(name: "RouteURLs", dependencies: ["RouteCore"], swiftSettings: strict),
        // Reads files and walks folders: no pipe, no device, nothing outside of a folder.
        .target(
            name: "RouteFiles",
            dependencies: ["RouteCore", "SystemGaps"],
            swiftSettings: strict
        ),
        // Decides where a navigation goes; knows no Lua.
        .target(
            name: "RouteEngine",
            dependencies: ["SystemGaps", "RouteCore", "RouteURLs"],
            swiftSettings: strict
        ),
        // The checks of `check`; reads declarations, and knows no Lua.
        .target(
            name: "RouteChecking",
            dependencies: ["RouteEngine", "RouteCore", "RouteURLs"],
            swiftSettings: strict + small
        ),
        .target(
            name: "LuaRouting",
            dependencies: [
                "SystemGaps", "RouteChecking", "RouteEngine", "RouteFiles", "LuaVM", "RouteCore",
                "RouteURLs",
            ],
            exclude: privacy.excluded,
            // A file read at run time would have to be found; these bytes are in the library.
            resources: [.embedInCode("Scripts/Prelude.lua")] + privacy.resources,
            swiftSettings: strict
        ),
        .target(
            name: "LuaRouteFoundation",
            dependencies: ["LuaRouting"],
            swiftSettings: strict
        ),
        .target(
            name: "LuaRouteWatching",
            dependencies: ["SystemGaps", "LuaRouting"],
            swiftSettings: strict
        ),
        .target(
            name: "LuaRouteLogging",
            dependencies: [
                "LuaRouting",
                .product(
                    name: "Logging",
                    package: "swift-log",
                    condition: .when(traits: ["Logging", "Development"])
                ),
            ],
            swiftSettings: strict(with: "Logging")
        ),
        .target(
            name: "LuaRouteMetrics",
            dependencies: [
                "LuaRouting",
                .product(
                    name: "CoreMetrics",
                    package: "swift-metrics",
                    condition: .when(traits: ["Metrics", "Development"])
                ),
            ],
            swiftSettings: strict(with: "Metrics")
        ),
        .target(
            name: "LuaRouteBundles",
            dependencies: [
                "SystemGaps", "LuaRouting", "RouteCore",
                // Apple's systems have CryptoKit.
                .product(
                    name: "Crypto",
                    package: "swift-crypto",
                    condition: .when(
                        platforms: [.linux, .android, .windows],
                        traits: bundling.union(["Bundles"])
                    )
                ),
            ],
            swiftSettings: strict(with: "Bundles", or: bundling)
        ),
        // Where there is no UIKit it is built, and tested, with a stand-in.
        .target(
            name: "LuaRouteUIKit",
            dependencies: [
                "LuaRouting", "LuaRouteFoundation",
                .target(
                    name: "UIKitStandin",
                    condition: .when(platforms: [.linux, .macOS, .android, .windows])
                ),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "LuaRouteObservation",
            dependencies: ["LuaRouting"],
            swiftSettings: strict
        ),
        // The language of scenario files: source, syntax, vocabulary, layout. It needs no router, and is
        // compiled beside it.
        .target(
            name: "ScenarioLanguage",
            dependencies: ["SystemGaps", "RouteEngine", "RouteFiles", "RouteCore", "RouteURLs"],
            swiftSettings: strict + small
        ),
        // The Swift file of typed routes; the build tool plugin writes it too.
        .target(
            name: "RouteTypes",
            dependencies: ["LuaRouting", "RouteCore"],
            swiftSettings: strict + small
        ),
        .executableTarget(
            name: "RoutesTool",
            dependencies: ["SystemGaps", "LuaRouting", "RouteFiles", "RouteTypes"],
            path: "Sources/Plugins/RoutesTool",
            swiftSettings: strict
        ),
        .target(
            name: "ScenarioKit",
            dependencies: [
                "SystemGaps", "ScenarioLanguage", "LuaRouting", "LuaVM", "RouteCore", "RouteFiles",
                "RouteTypes", "RouteURLs",
            ],
            // The articles of codes, the files of new projects, and a page: none need be found at run
            // time.
            resources: [
                .embedInCode("Articles"), .embedInCode("Templates"),
                .embedInCode("Report/HTML/Report.html"),
            ],
            swiftSettings: strict + small
        ),
        .target(
            name: "ScenarioTesting",
            dependencies: ["ScenarioKit", "LuaRouting"],
            swiftSettings: strict
        ),
        // The streams and files of both commands.
        .target(
            name: "CommandStreams",
            dependencies: [
                "SystemGaps", "LuaRouting", "LuaVM", "ScenarioKit",
                .product(
                    name: "ArgumentParser",
                    package: "swift-argument-parser",
                    condition: .when(traits: bundling.union(["CommandLine"]))
                ),
            ],
            swiftSettings: strict(with: "CommandLine", or: bundling)
        ),
        // The language server: the protocol of editors, over what `check`, `fmt` and `run` know.
        .target(
            name: "LuaRouteEditor",
            dependencies: [
                "SystemGaps", "ScenarioKit", "ScenarioLanguage", "LuaRouting", "RouteChecking",
                "RouteEngine",
                "RouteCore", "RouteFiles",
            ],
            swiftSettings: strict + small
        ),
        .executableTarget(
            name: "LuaRouteCommand",
            dependencies: [
                "SystemGaps", "CommandStreams", "LuaRouteEditor", "RouteTypes", "ScenarioKit",
                "LuaRouteWatching",
                .product(
                    name: "ArgumentParser",
                    package: "swift-argument-parser",
                    condition: .when(traits: ["CommandLine", "Development"])
                ),
            ],
            swiftSettings: strict(with: "CommandLine") + small
        ),
        // The work of the command, which tests call.
        .target(
            name: "BundleKit",
            dependencies: [
                "SystemGaps", "LuaRouteBundles", "ScenarioKit", "LuaRouting", "RouteCore",
                "RouteEngine",
            ],
            swiftSettings: strict(with: "BundleCommand")
        ),
        .executableTarget(
            name: "LuaRouteBundleCommand",
            dependencies: [
                "SystemGaps", "BundleKit", "CommandStreams", "ScenarioKit",
                .product(
                    name: "ArgumentParser",
                    package: "swift-argument-parser",
                    condition: .when(traits: bundling)
                ),
            ],
            swiftSettings: strict(with: "BundleCommand")
        ),
        // An app in a terminal, which `scripts/terminal` builds and runs.
        .executableTarget(
            name: "PodcastTerminal",
            dependencies: ["SystemGaps", "LuaRouting", "LuaRouteWatching", "ScenarioKit"],
            swiftSettings: strict
        ),
        .target(name: "UIKitStandin", path: "Tests/Standins/UIKit", swiftSettings: strict),
        // Apart from TestSupport, which needs Testing: the soak test is also a program of its own.
        .target(name: "RandomNumbers", path: "Tests/RandomNumbers", swiftSettings: strict),
        .target(
            name: "TestSupport",
            dependencies: ["SystemGaps"],
            path: "Tests/TestSupport",
            swiftSettings: strict
        ),
        // What takes bytes from anywhere: fuzzed by `scripts/dev/fuzz.sh`, replayed by the tests.
        .target(
            name: "FuzzTargets",
            dependencies: [
                "CLuaProbes", "LuaRouteEditor", "LuaVM", "LuaRouting", "RouteCore", "RouteURLs",
                "ScenarioKit",
            ],
            path: "Tests/FuzzTargets",
            swiftSettings: strict
        ),
        .testTarget(
            name: "CorpusTests",
            dependencies: ["FuzzTargets"],
            path: "Tests/CorpusTests",
            swiftSettings: strict
        ),
        // Compiles sources with Lua itself and with what `CLua` reads of them, to compare the two.
        .target(
            name: "CLuaProbes",
            dependencies: ["CLuaRoute"],
            path: "Tests/LuaProbes",
            cSettings: [.headerSearchPath("../../CLua")]
        ),
        .testTarget(
            name: "LuaVMTests",
            dependencies: ["SystemGaps", "LuaVM", "RandomNumbers", "TestSupport", "CLuaProbes"],
            exclude: ["Golden"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "RouteCoreTests",
            dependencies: ["SystemGaps", "RouteCore", "RandomNumbers", "TestSupport"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "RouteURLsTests",
            dependencies: ["RouteURLs", "RandomNumbers", "RouteCore"],
            exclude: ["Rows.json"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "RouteEngineTests",
            dependencies: [
                "SystemGaps", "RouteEngine", "RandomNumbers", "RouteCore", "RouteURLs",
                "TestSupport",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "RouteCheckingTests",
            dependencies: ["RouteChecking", "RouteCore", "RouteEngine"],
            swiftSettings: strict
        ),
        // Navigations, waits, links and reloads at once; `swift run -c release SoakRun` takes as
        // long as it is asked to.
        .target(
            name: "Soak",
            dependencies: ["LuaRouting", "RandomNumbers", "RouteCore"],
            path: "Tests/Soak/Sources",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "SoakRun",
            dependencies: ["Soak"],
            path: "Tests/Soak/Run",
            swiftSettings: strict
        ),
        .testTarget(
            name: "LuaRoutingTests",
            dependencies: [
                "SystemGaps", "LuaRouting", "CLuaProbes", "RandomNumbers", "RouteCore", "Soak",
                "TestSupport",
            ],
            // Tests read and record these where they stand.
            exclude: ["Golden"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ScenarioKitTests",
            dependencies: [
                "SystemGaps", "ScenarioKit", "ScenarioLanguage", "LuaRouting", "LuaVM",
                "RandomNumbers",
                "RouteCore", "TestSupport",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "LuaRouteEditorTests",
            dependencies: [
                "LuaRouteEditor", "LuaRouting", "RandomNumbers", "RouteCore", "RouteFiles",
                "TestSupport",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ScenarioTestingTests",
            dependencies: [
                "SystemGaps", "ScenarioTesting", "ScenarioKit", "LuaRouting", "TestSupport",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "LuaRouteUIKitTests",
            dependencies: [
                "LuaRouteUIKit", "UIKitStandin", "LuaRouting", "ScenarioTesting", "RandomNumbers",
                "TestSupport",
            ],
            // The scripts and scenarios of the article are read where they stand.
            exclude: ["Shop/main.lua", "Shop/shop.scenario", "Typed/main.lua"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "LuaRouteObservationTests",
            dependencies: [
                "LuaRouteObservation", "LuaRouting", "RandomNumbers", "ScenarioTesting",
                "TestSupport",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "PodcastTerminalTests",
            dependencies: ["PodcastTerminal", "TestSupport"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "LuaRouteFoundationTests",
            dependencies: ["LuaRouteFoundation", "LuaRouting"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "LuaRouteWatchingTests",
            dependencies: ["SystemGaps", "LuaRouteWatching", "LuaRouting", "TestSupport"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "LuaRouteLoggingTests",
            dependencies: [
                "SystemGaps", "LuaRouteLogging", "LuaRouting",
                .product(
                    name: "InMemoryLogging",
                    package: "swift-log",
                    condition: .when(traits: ["Logging", "Development"])
                ),
            ],
            swiftSettings: strict(with: "Logging")
        ),
        .testTarget(
            name: "LuaRouteMetricsTests",
            dependencies: [
                "SystemGaps", "LuaRouteMetrics", "LuaRouting",
                .product(
                    name: "MetricsTestKit",
                    package: "swift-metrics",
                    condition: .when(traits: ["Metrics", "Development"])
                ),
            ],
            swiftSettings: strict(with: "Metrics")
        ),
        // Uses a store until a test kills it.
        .executableTarget(
            name: "StoreRun",
            dependencies: ["LuaRouteBundles", "LuaRouting"],
            path: "Tests/StoreRun",
            swiftSettings: strict(with: "Bundles", or: bundling)
        ),
        .testTarget(
            name: "LuaRouteBundlesTests",
            dependencies: [
                "SystemGaps", "LuaRouteBundles", "StoreRun", "BundleKit", "ScenarioKit",
                "LuaRouting",
                "RandomNumbers",
                "TestSupport",
            ],
            swiftSettings: strict(with: "BundleCommand") + [
                .define("Bundles", .when(traits: bundling))
            ]
        ),
        .testTarget(
            name: "PlannerTests",
            dependencies: ["LuaRouting", "RandomNumbers", "RouteCore", "TestSupport"],
            swiftSettings: strict
        ),
        // Makes the attempts of a table, each in a process of its own; scripts/dev/attempts.sh runs it.
        .executableTarget(
            name: "SandboxAttempts",
            dependencies: ["LuaRouting"],
            path: "Tests/Sandbox/Attempts",
            swiftSettings: strict
        ),
        .testTarget(
            name: "SandboxTests",
            dependencies: ["SandboxAttempts", "LuaRouting", "TestSupport"],
            path: "Tests/Sandbox/Tests",
            swiftSettings: strict
        ),
        .testTarget(
            name: "LuaRouteCommandTests",
            dependencies: ["SystemGaps", "LuaRouteCommand", "TestSupport"],
            swiftSettings: strict
        ),
    ] + plugins.targets + benchmarks.targets,
    swiftLanguageModes: [.v6]
)

// A build of some tests alone has their targets, and nothing that they do not need. A name such as
// `LuaRoutingTests/Memory` takes one folder of a target; several such names take several folders.
if let names = Context.environment["LUAROUTE_TEST_TARGETS"]?.split(separator: " ") {
    var needed: Set<String> = []
    var folders: [String: [String]] = [:]
    for name in names.map({ $0.split(separator: "/").map(String.init) }) {
        needed.insert(name[0])
        if name.count > 1 { folders[name[0], default: []].append(name[1]) }
    }
    for target in package.targets {
        guard let taken = folders[target.name] else { continue }
        let path = "\(Context.packageDirectory)/Tests/\(target.name)"
        target.exclude = try FileManager.default.contentsOfDirectory(atPath: path)
            .filter { !taken.contains($0) }
    }
    while true {
        let count = needed.count
        for target in package.targets where needed.contains(target.name) {
            for case .byNameItem(let name, _) in target.dependencies { needed.insert(name) }
        }
        if needed.count == count { break }
    }
    package.targets.removeAll { !needed.contains($0.name) }
    package.products = []
}
