// SPDX-License-Identifier: MIT

internal import RouteCore
package import RouteEngine

extension DeclarationCheck {
    /// Returns a finding for each declaration of a contract that the scripts do not fulfil.
    ///
    /// - Parameters:
    ///   - contract: The declarations that the app was compiled against.
    ///   - previous: The declarations of the active scripts, which contain the former location of a
    ///     missing route; nil if no scripts are active.
    /// - Returns: The findings, in the order of the contract.
    package func contractFindings(
        _ contract: RouterContract,
        previous: Declarations?
    ) -> [Finding] {
        do throws(RouteError) {
            let check = ContractCheck(
                new: ScriptInterface(declarations),
                old: previous,
                classes: declarations.classes
            )
            return try contract.entries().compactMap(check.finding)
        } catch {
            return [Finding(.brokenContract, error)]
        }
    }
}

/// A type that compares the declarations of scripts with the declarations that an app was compiled
/// against.
private struct ContractCheck {
    private let routes: [Target: ScriptInterface.Call]
    private let tasks: [Target: ScriptInterface.Call]
    private let screens: [String: ScriptInterface.Class]
    private let exports: Set<String>
    private let old: Declarations?
    private let classes: ScreenClasses

    init(new: ScriptInterface, old: Declarations?, classes: ScreenClasses) {
        routes = Dictionary(uniqueKeysWithValues: new.routes.map { ($0.target, $0) })
        tasks = Dictionary(uniqueKeysWithValues: new.tasks.map { ($0.target, $0) })
        screens = Dictionary(uniqueKeysWithValues: new.classes.map { ($0.name, $0) })
        exports = Set(new.exports)
        self.old = old
        self.classes = classes
    }

    func finding(about entry: ContractEntry) -> Finding? {
        switch entry.content {
        case .route(let call):
            finding("route", in: call, now: routes[call.target], place: entry.location)
        case .task(let call):
            finding("task", in: call, now: tasks[call.target], place: entry.location)
        case .export(let name):
            exports.contains(name)
                ? nil
                : finding(
                    "function '\(name)'",
                    what: "is not exported",
                    at: nil,
                    place: entry.location
                )
        case .screen(let name, let kind, let fields):
            finding(aboutClass: name, kind: kind, fields: fields, place: entry.location)
        }
    }

    private func finding(
        _ word: String,
        in call: ScriptInterface.Call,
        now: ScriptInterface.Call?,
        place: RouteError.Location
    ) -> Finding? {
        let name = "\(word) '\(call.target)'"
        guard let now else {
            let was = old?.routes[call.target]?.location
            return finding(
                name,
                what: "is not registered" + (was.map { " (formerly at \($0))" } ?? ""),
                at: nil,
                place: place
            )
        }
        guard let problem = problem(call, now) else { return nil }
        return finding(name, what: problem, at: now.location, place: place)
    }

    private func problem(_ old: ScriptInterface.Call, _ new: ScriptInterface.Call) -> String? {
        if !new.admitsHost { return "does not allow the host in its 'origin'" }
        switch (old.info, new.info) {
        case (let old?, let new?):
            if let problem = TypeChange(.given).problem(from: old, to: new) {
                return "has a different 'info': \(problem)"
            }
        case (nil, _?): return "declares 'info', but accepted any parameters before"
        case (_, nil): break
        }
        switch (old.result, new.result) {
        case (let old?, let new?):
            return TypeChange(.taken).problem(from: old, to: new)
                .map { "has a different 'result': \($0)" }
        case (_?, nil): return "no longer declares its 'result'"
        case (nil, _): return nil
        }
    }

    private func finding(
        aboutClass name: String,
        kind: Screen.Kind,
        fields: InfoDeclaration,
        place: RouteError.Location
    ) -> Finding? {
        let now = screens[name]
        let title = "class '\(name)'"
        let newKind = classes[name].kind
        if kind != newKind {
            let what = "is \(newKind.rawValue.withArticle), but was \(kind.rawValue.withArticle)"
            return finding(title, what: what, at: now?.location, place: place)
        }
        let known = InfoDeclaration(now?.fields ?? [])
        let problem = TypeChange(.taken).problem(from: fields, to: known)
        return problem.map {
            finding(title, what: "has different fields: \($0)", at: now?.location, place: place)
        }
    }

    private func finding(
        _ name: String,
        what: String,
        at location: RouteError.Location?,
        place: RouteError.Location
    ) -> Finding {
        Finding(
            .brokenContract,
            "\(name) \(what); the app was compiled against \(place)",
            at: location,
            help:
                "keep the declarations that the app uses, or deliver these scripts only to apps that were compiled with the output of 'luaroute types --swift' for these scripts"
        )
    }
}
