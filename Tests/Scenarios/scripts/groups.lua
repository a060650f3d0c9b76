-- Groups of routes, which share a path, parameters, interceptors, a parent and an action.
local nav, screen, state = router.nav, router.screen, router.state

router.links { "app", "https://app.example" }
router.start(function() return nav { screen "Home" } end)

local function note(name)
  return function() state.asked = (state.asked or "") .. name end
end

router.register("Home", "show", { find = "Home", url = "/home" })

local project = router.group {
  url = "/projects/:creator",
  info = { creator = "string" },
  intercept = note "a",
  from = { "Home", "show" },
  via = "present",
}

local function page(class)
  return function(info) return screen(class, info) end
end

-- The URL of the group itself.
project:register("Project", "show", { url = "", build = page "Project" })

-- A relative pattern, an absolute one, one with an origin, and one with a query alone.
project:register("File", "show", {
  url = { "files/:id(int)", "/files/:creator/:id(int)", "https://app.example/f/:creator/:id(int)" },
  info = { id = "integer", creator = "string" },
  intercept = { note "b", note "c" },
  build = page "File",
})
project:register("Search", "show", {
  url = "?q=:q",
  info = { q = "string" },
  build = page "Search",
})

-- No URL of its own: none.
project:register("Draft", "show", { build = page "Draft" })

-- `via` of a route replaces `from` and `via` of its group.
project:register("Note", "show", {
  url = "v:number(int)",
  info = { number = "integer" },
  via = "push",
  build = page "Note",
})

-- A group in the group has its URL, its parameters and its interceptors.
local settings = project:group { url = "settings", intercept = note "s" }
settings:register("Settings", "show", {
  url = ":tab(team|plan)?",
  info = { tab = "string?" },
  build = page "Settings",
})
project:group { intercept = note "x" }:register("Other", "show", {
  url = "other",
  build = page "Other",
})

-- A redirect has no interceptors and no parent.
project:register("Doc", "show", {
  url = "docs/:id(int)",
  info = { id = "integer" },
  redirect = { "File", "show" },
})

-- An alias of the group.
project:alias("old/:id(int)", "files/:id(int)")
