// swift-tools-version: 6.2
import PackageDescription

// Two programs whose difference is what the library adds to an app; the step `size` of `scripts/test`
// measures it.
let package = Package(
    name: "Minimal",
    platforms: [.macOS(.v13)],
    dependencies: [
        // The name does not depend on the folder of the checkout.
        .package(name: "luaroute", path: "../../..")
    ],
    targets: [
        .executableTarget(
            name: "Minimal",
            dependencies: [.product(name: "LuaRouting", package: "luaroute")]
        ),
        .executableTarget(name: "Empty"),
    ],
    swiftLanguageModes: [.v6]
)
