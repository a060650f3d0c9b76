// SPDX-License-Identifier: MIT

import LuaRouting
import TestSupport
import Testing

/// The hint at the block that lacks its `end`, in the message about a script that does not compile.
@Suite(.failureReports)
struct MissingEndTests {
    @Test(
        "a syntax error names the first block that is indented more than its 'end'",
        arguments: [
            ("local function a()\n  if x then\n    y()\nend\n", 2),
            ("local function a()\n  local function b()\n    if x then\n      y()\n  end\nend", 3),
            ("local function a()\n  if x then\n    if y then\n      z()\n  else\n  end\nend", 3),
            ("router.start(function()\n  for i = 1, 2 do\n    y()\n  return z\nend)", 2),
            ("local t = {\n  build = function()\n    while x do\n      y()\n  end,\n}", 3),
            ("local function a()\n  repeat\n    y()\nend", nil),
            ("local function a()\n\tif x then\n\t\ty()\nend", 2),
            ("local function a()\n    if x then\n\ty()\n\tend", nil),
            ("local function a()\nif x then\ny()\nend", nil),
            ("local function a() if x then y() end", nil),
            ("local function a()\n  y()\n  end\nend", nil),
            ("local function a()\n  y(\nend", nil),
        ] as [(String, Int?)]
    )
    func hint(_ source: String, _ line: Int?) throws {
        let error = try #require(throws: RouteError.self) {
            try RouterFixture(source, starts: false)
        }
        let hint = line.map { ", the block at line \($0) may lack its 'end'" }
        #expect(error.message.hasSuffix(hint ?? ""), "\(error)")
        #expect(error.message.contains("may lack") == (line != nil), "\(error)")
    }

    @Test("a module that the scripts require has the hint, too")
    func module() throws {
        let error = try #require(throws: RouteError.self) {
            try RouterFixture(
                "require \"page\"",
                modules: ["page.lua": "local function a()\n  if x then\n    y()\nend"],
                starts: false
            )
        }
        #expect(error.message.hasSuffix("the block at line 2 may lack its 'end'"), "\(error)")
        #expect(error.location?.file == "page.lua")
    }
}
