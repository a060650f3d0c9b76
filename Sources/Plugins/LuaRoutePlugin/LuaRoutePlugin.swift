// SPDX-License-Identifier: MIT

import Foundation
import PackagePlugin

/// Runs the command luaroute in the folder of the package: `swift package luaroute run`.
///
/// The dependency on this package needs the trait `CommandLine`.
@main struct LuaRoutePlugin: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) throws {
        let process = Process()
        process.executableURL = try context.tool(named: "LuaRouteCommand").url
        process.arguments = arguments
        process.currentDirectoryURL = context.package.directoryURL
        try process.run()
        process.waitUntilExit()
        // The command has already printed the error.
        guard process.terminationStatus == 0 else { exit(process.terminationStatus) }
    }
}
