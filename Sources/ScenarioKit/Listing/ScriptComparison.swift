// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// The routes and deep links that differ between two versions of scripts.
package struct ScriptComparison {
    private let routes: RouteDifference
    private let links: [DestinationChange]

    /// Loads and compares two versions of scripts.
    ///
    /// The compared deep links are the URLs of the routes' examples, and the URLs of routes without
    /// parameters, in either version.
    package init(
        from old: LoadedScripts,
        to new: LoadedScripts
    ) throws(LoadedScripts.Failure) {
        routes = RouteDifference(from: old.inventory.list.rows, to: new.inventory.list.rows)
        let targets = Set(old.exampleURLs + new.exampleURLs).sorted()
        _ = try old.begin(given: nil, state: [])
        _ = try new.begin(given: nil, state: [])
        let (before, after) = (old.explainer(showsAll: false), new.explainer(showsAll: false))
        // A deep link that exists in only one version belongs to an added or removed route.
        links = targets.map { ByteString($0) }.compactMap { target in
            DestinationChange(
                was: before.explanation(of: target),
                now: after.explanation(of: target)
            )
        }
    }

    /// Lines that begin with `+`, `-` or `~`; empty if there are no differences.
    package var text: PrintedText {
        RouteListWriter().text(of: routes)
            + links.map { change in
                "~  link \(change.text)\n     was \(change.was.title)\n"
                    + "     now \(change.now.title)\n"
            }.joined()
    }

    static let document = DocumentFields<Self>("comparison") {
        RouteDifference.document.within(\.routes)
        DocumentField("links", \.links, help: "The links whose destinations changed.")
    }
}

extension LoadedScripts {
    /// Parses a scenario file, and returns its path and the paths of the files that it includes.
    ///
    /// - Throws: A failure if a file is missing or does not parse.
    package static func scenarioFiles(
        _ path: String,
        root: String
    ) throws(Failure) -> [String] {
        var options = RunOptions()
        options.fileRoot = root
        let plan = Canary.plan([path], options)
        do throws(Diagnostics) {
            _ = try Canary(plan, options)
        } catch {
            throw Failure(diagnostics: error.list, code: .scenarioInvalid)
        }
        return [path] + plan.files.compactMap(\.parsed).flatMap(\.inputs.keys)
    }

    /// The URLs of routes that have examples or no parameters.
    fileprivate var exampleURLs: [String] {
        router.registrations.filter { !$0.urls.isEmpty }.flatMap { route in
            let infos =
                route.examples.isEmpty && router.needsNoParameters(route.target)
                ? [InfoTable()] : route.examples
            return infos.compactMap { try? router.url(of: route.target, info: $0) }
        }
    }
}
