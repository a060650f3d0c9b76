// SPDX-License-Identifier: MIT

import LuaRouting
import TestSupport
import Testing

/// The meaning of `timeout` in Lua: a positive number of seconds, or `math.huge` for none.
@Suite(.failureReports)
struct TimeoutTests {
    private static let calls = [
        "router.navigate('Late', 'go', nil, { timeout = %@ })",
        "router.open('/late', { timeout = %@ })", "router.dispatch('/later', { timeout = %@ })",
        "router.navigate('Late', 'go'):await { timeout = %@ }",
        "router.navigate('Late', 'go'):result { timeout = %@ }",
        "local _, task = router.doTask('Late', 'do') task:await { timeout = %@ }",
    ]
    private static let declarations = [
        "router.interceptor('name', { timeout = %@ }, function() end)",
        "router.registerTask('Other', 'do', function() end, { timeout = %@ })",
        "router.options { timeout = %@ }",
    ]
    private static let refused = ["0", "-1", "-0.5", "0/0", "-math.huge"]

    private func fixture(_ body: String) throws -> RouterFixture {
        try RouterFixture(
            """
            router.register('Late', 'go', {
              url = '/late', ready = 'gate', build = router.screen 'Page',
            })
            router.registerTask('Late', 'do', function() return nil, router.later end)
            router.routing '/later'
            \(body)
            """,
            starts: false
        )
    }

    @Test(
        "each verb rejects a timeout that is not positive with 'badInfo'",
        arguments: calls,
        refused
    )
    func verb(_ call: String, _ timeout: String) throws {
        let call = call.replacing("%@", with: timeout)
        let fixture = try fixture("router.registerTask('Try', 'it', function() \(call) end)")
        let error = fixture.doTask("Try", "it").error
        #expect(error?.code == .badInfo)
        #expect(
            error?.message.contains(
                "(a positive number of seconds expected, or 'math.huge' for no timeout)"
            ) == true,
            "\(error?.message ?? "")"
        )
    }

    @Test(
        "scripts that declare a timeout that is not positive do not load",
        arguments: declarations,
        refused
    )
    func declaration(_ declaration: String, _ timeout: String) throws {
        let error = #expect(throws: RouteError.self) {
            try fixture(declaration.replacing("%@", with: timeout))
        }
        #expect(error?.code == .badInfo)
    }

    @Test("'math.huge' means no limit in a declaration", arguments: declarations)
    func endlessDeclaration(_ declaration: String) throws {
        _ = try fixture(declaration.replacing("%@", with: "math.huge"))
    }

    @Test("'math.huge' means no limit in a call", arguments: calls)
    func endlessCall(_ call: String) throws {
        let call = call.replacing("%@", with: "math.huge")
        let fixture = try fixture("router.registerTask('Try', 'it', function() \(call) end)")
        #expect(fixture.doTask("Try", "it").error == nil)
        fixture.router.advance(to: fixture.router.now + 1e6)
    }

    @Test(
        "'drain' may be 0, but not negative",
        arguments: [("0", true), ("-1", false), ("0/0", false)]
    )
    func drain(_ seconds: String, _ isValid: Bool) throws {
        let result = Result { try fixture("router.options { drain = \(seconds) }") }
        let isLoaded = (try? result.get()) != nil
        #expect(isLoaded == isValid)
    }
}
