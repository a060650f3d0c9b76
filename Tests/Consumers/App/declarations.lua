-- Declarations whose Swift names are hard: keywords, collisions, capitals, digits, and values that
-- are no identifiers. The file that is made of them has to compile.
local words = {
  "Any", "as", "associatedtype", "await", "break", "case", "catch", "class", "continue", "default",
  "defer", "deinit", "do", "else", "enum", "extension", "false", "fileprivate", "for", "func",
  "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil", "none", "open",
  "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return",
  "Self", "self", "some", "static", "struct", "subscript", "super", "switch", "throw", "throws",
  "true", "try", "Type", "Protocol", "typealias", "var", "where", "while",
  "Int", "String", "Bool", "Double", "Value", "InfoTable", "ScreenID", "Swift", "LuaRouting",
  "Result", "Screens", "Gates", "Exports", "Tasks", "contract", "target", "info", "routeValue",
  "className", "allCases", "AllCases", "table", "value", "Optional", "Array", "Equatable",
  "Sendable", "CaseIterable", "Routes", "TypedRoute", "TypedScreen", "RouterContract", "hashValue",
}
local function build() return router.screen("Page") end

-- Each word as a service, a task, a parameter, a class, a field, a result and a value.
for _, word in ipairs(words) do
  router.register(word, "show", {
    info = { [word] = "integer", other = { [word] = "string?" } },
    result = { [word] = "string" },
    build = build,
  })
  router.register("Service", word, { info = { [word] = { word, "x" }, value = "any?" }, build = build })
  router.registerTask(word, "do", function() end, { info = { [word] = "[string]?" }, result = { word } })
  -- 'class' is a property of every screen.
  local field = word == "class" and "class2" or word
  router.class(word, { fields = { field, table = { [word] = "boolean" }, kind2 = { word, "x" } } })
  router.export(word, build)
end

-- Collisions: names that Swift writes alike, and types of one name.
local alike = { "a.b", "a-b", "aB", "a_b", "AB", "Ab", "A-b", "URLPage", "urlPage", "url-page", "X1", "x-1" }
for _, name in ipairs(alike) do
  router.register(name, "show", { info = { [name] = "number" }, build = build, ready = { name } })
  router.register(name, "open", { build = build })
  router.class("C." .. name, { fields = alike })
end

-- Every type, required and optional, alone and in lists and tables.
local types = { "integer", "number", "string", "boolean", "table", "function", "screen", "any", "host" }
for _, type in ipairs(types) do
  router.register("Types", type, {
    info = {
      plain = type, optional = type .. "?", list = "[" .. type .. "]", lists = "[[" .. type .. "]]?",
      record = { inner = { deep = type, list = "[" .. type .. "]" }, optional = true },
      records = { { one = type, more = { { two = type .. "?" } } } },
      checked = function(value) return value end,
    },
    result = { [type] = type ~= "function" and type or "any" },
    build = build,
  })
end

-- Values that are no identifiers, or nearly the same one.
local values = {
  "", " ", "a b", "a-b", "1st", "2", "größe", "日本", "👍", "e\u{301}", "é", "\"", "\\", "\n", "\u{202e}",
  "a\0b", "\xff\xfe", "#", "\"\"\"#", "\\(x)", "self", "init", "none", "default", 0, 1, -1, 1.5, -2.5e300, math.huge,
  math.mininteger, true, false,
}
router.register("Values", "show", {
  info = { one = values, many = { values }, some = { "a", { "b" } }, tables = { { 1 }, { 2 } } },
  result = { values }, build = build,
})
router.class("Values", { fields = { one = values, empty = { "x", optional = true } } })
router.register("Words", "show", { info = { word = words }, build = build })

-- The needs of the host, by the same names.
local tasks, dependencies = { "Plain/task", "plain/Task" }, {}
for index, word in ipairs(words) do
  if index % 2 == 0 then tasks[#tasks + 1] = word .. "/do_it" end
  tasks[word .. "/host"] = { info = { [word] = "integer", list = { { [word] = "any?" } } }, result = { word, "x" } }
  dependencies[index] = word
end
tasks["Types/host2"] = { info = { callback = "function", screen = "screen?", object = "host" }, result = "string?" }
local screens = { "Page" }
for _, word in ipairs(words) do
  screens[#screens + 1] = word
  screens[#screens + 1] = word .. "-page"
end
for _, name in ipairs(alike) do screens[#screens + 1] = "C." .. name end
screens[#screens + 1] = "Values"
router.expects { tasks = tasks, dependencies = dependencies, screens = screens }
