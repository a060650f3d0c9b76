-- Routes that only redirect: by an old name, by a choice, by a flag.
local nav, register, screen, start, state =
  router.nav, router.register, router.screen, router.start, router.state

router.links { "app" }
start(function() return nav { screen "Home" } end)

register("Page", "show", {
  info = { id = "integer" },
  build = function(info) return screen("Page", { id = info.id }) end,
})
register("List", "show", { build = function() return screen "List" end })
register("Login", "show", { build = function() return screen "Login" end })

-- The target gets the parameters that it declares, and no others.
register("Page", "old", {
  info = { id = "integer", ref = "string?" },
  url = "/old/:id(int)?ref=:ref?",
  redirect = { "Page", "show" },
})
register("Page", "older", { redirect = { "Page", "old" } })

-- A function chooses one of the targets.
register("Tab", "open", {
  url = "/tab/:name?",
  redirect = {
    to = { { "List", "show" }, { "Login", "show" } },
    pick = function(info, navigation)
      if info.name == "other" then return { "Page", "show" } end
      if info.name == "none" then return nil end
      return state.user and { "List", "show" } or { "Login", "show" }
    end,
  },
})

router.export("present", function(info)
  router.navigate(info.service, info.task, { id = info.id }, { via = "present" })
end)

-- Two that choose each other.
local function to(task)
  return {
    to = { { "Ring", task } },
    pick = function() return { "Ring", task } end,
  }
end
register("Ring", "a", { redirect = to "b" })
register("Ring", "b", { redirect = to "a" })

-- A flag, and its fallback.
register("New", "show", {
  enabled = function() return state.new == true end,
  redirect = { "List", "show" },
  fallback = { "Page", "older" },
})

register("Note", "show", {
  url = "/note/:id(int)",
  build = function() return screen "Note" end,
  from = { "Page", "older" },
})
register("Secret", "open", {
  origin = "script",
  build = function() return screen "Secret" end,
})
register("Secret", "link", { url = "/secret", redirect = { "Secret", "open" } })
