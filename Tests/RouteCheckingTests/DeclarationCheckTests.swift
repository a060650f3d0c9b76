// SPDX-License-Identifier: MIT

import RouteChecking
import RouteCore
import RouteEngine
import Testing

/// Tests of checks of declarations that were made without scripts.
@Suite struct DeclarationCheckTests {
    private final class Function: FunctionReference {
        func isSame(as other: any FunctionReference) -> Bool { self === other }
    }

    /// Declares routes of the service `Shop` on consecutive lines, beginning at line 1.
    private static func declarations(
        _ routes: [(task: String, fields: [String: Value])]
    ) throws -> Declarations {
        let declarations = Declarations()
        for (index, route) in routes.enumerated() {
            var fields = InfoTable()
            fields["build"] = .function(Function())
            for (key, value) in route.fields { fields[key] = value }
            let target = Target("Shop", route.task)
            let place = RouteError.Location(file: "shop.lua", line: index + 1)
            let step = try Step(target, at: place, Definition(fields), in: ScreenTree())
            try declarations.routes.register(.screen(step), as: target, overrides: false)
            try declarations.add(step)
        }
        return declarations
    }

    private static func parent(_ task: String) -> Value {
        .table(InfoTable(list: [Value("Shop"), Value(task)]))
    }

    private static let noText = ScriptText([(file: String, tokens: [ScriptToken])]())

    @Test(
        "a mistake in a declaration is reported with its line",
        arguments: [
            (
                [("open", ["from": parent("opne")]), ("list", [:])],
                "L0201", "shop.lua:1: no task 'opne' in service 'Shop', did you mean 'open'?"
            ),
            (
                [("open", [:]), ("pay", ["intercept": Value("login")])],
                "L0203", "shop.lua:2: no interceptor 'login' is declared"
            ),
            (
                [("open", [:]), ("pay", ["via": Value("pusch")])],
                "L0204", "shop.lua:2: no action 'pusch' is declared, did you mean 'push'?"
            ),
            (
                [("cart", ["from": parent("pay")]), ("pay", ["from": parent("cart")])],
                "L0205",
                "shop.lua:1: the chain of parent routes has no start: Shop/cart from Shop/pay from Shop/cart"
            ),
        ] as [([(String, [String: Value])], String, String)]
    )
    func mistake(_ routes: [(String, [String: Value])], _ code: String, _ text: String) throws {
        let check = DeclarationCheck(try Self.declarations(routes.map { ($0.0, $0.1) })) { _, _ in
            true
        }
        let findings = check.mistakes(among: [], entry: "main.lua")
        #expect(findings.map(\.code.description) == [code])
        #expect(findings.map(\.description) == [text])
    }

    @Test(
        "scripts that declare nothing are rejected, with the first line of the entry file as location"
    )
    func nothing() {
        let findings = DeclarationCheck(Declarations()) { _, _ in true }
            .mistakes(among: [], entry: "main.lua")
        #expect(findings.map(\.location) == [RouteError.Location(file: "main.lua", line: 1)])
    }

    @Test("an undeclared URL parameter is reported unless a function receives the navigation")
    func droppedParameter() throws {
        let declarations = try Self.declarations([
            ("open", ["url": Value("/shop/:id"), "info": .table(InfoTable())])
        ])
        for (takesNavigation, codes) in [(false, ["L0103"]), (true, [])] {
            let findings = DeclarationCheck(declarations) { _, _ in takesNavigation }
                .findings(Self.noText, against: nil, capabilities: Capabilities())
            #expect(findings.map(\.code.description) == codes)
        }
    }

    @Test("a name that occurs in a string of a script counts as used")
    func usedInText() throws {
        let declarations = try Self.declarations([("open", [:])])
        declarations.interceptors["login"] = DeclaredInterceptor(
            body: Function(),
            prepare: nil,
            timeout: nil,
            location: nil
        )
        for (uses, count) in [(1, 1), (2, 0)] {
            let name = ScriptToken(.text(Array("login".utf8)[...]), line: 1)
            let tokens = [ScriptToken](repeating: name, count: uses)
            let findings = DeclarationCheck(declarations) { _, _ in true }
                .findings(
                    ScriptText([("main.lua", tokens)]),
                    against: nil,
                    capabilities: Capabilities()
                )
            #expect(findings.count == count)
        }
    }

    @Test("a class that the host lacks is reported at the step that names the class")
    func missingClass() throws {
        var fields = InfoTable()
        fields["class"] = Value("ShopPage")
        let declarations = try Self.declarations([("open", ["find": .table(fields)])])
        let manifest = HostManifest(screens: ["ShopPages": .init()])
        let findings = DeclarationCheck(declarations) { _, _ in true }.hostFindings(manifest)
        #expect(
            findings.map(\.description) == [
                "shop.lua:1: the host has no screen 'ShopPage', did you mean 'ShopPages'?"
            ]
        )
    }
}
