-- Flags and fallbacks.
local expects, provide, register, screen = router.expects, router.provide, router.register,
  router.screen

provide("flags", function()
  return { isOn = function(name) return router.state[name] end }
end)

local function flagged(name, fallback, more)
  local definition = more or {}
  definition.needs = "flags"
  definition.enabled = function(info, nav) return nav.deps.flags.isOn(name) end
  definition.fallback = fallback
  definition.build = definition.build
    or function(info, nav)
      return screen(name, { id = info.id, note = info.note, asked = nav.service })
    end
  register(name, "show", definition)
end

flagged("New", { "Old", "show" }, { info = { id = "integer", note = "string?" } })
register("Old", "show", {
  info = { id = "integer" },
  build = function(info, nav) return screen("Old", { id = info.id, asked = nav.service }) end,
})
flagged("Alone")
flagged("First", { "Second", "show" })
flagged("Second", { "Third", "show" })
flagged("Third", { "Old", "show" })
flagged("Ping", { "Pong", "show" })
flagged("Pong", { "Ping", "show" })
flagged("Self", { "Self", "show" })
flagged("Strict", { "Closed", "show" })
register("Closed", "show", { origin = "script", build = function() return screen("Closed") end })
register("Raises", "show", {
  enabled = function() error("no flags") end,
  fallback = { "Old", "show" },
  build = function() return screen("Raises") end,
})
register("Writes", "show", {
  enabled = function() router.state.seen = true end,
  build = function() return screen("Writes") end,
})

-- Behind another step, and in a tree.
register("Above", "show", {
  from = { "New", "show" },
  info = { id = "integer" },
  build = function() return screen("Above") end,
})
register("Tree", "show", {
  build = router.tabs { router.nav { { "New", "show" } }, { "First", "show" } },
  via = "present",
})
register("Bare", "show", {
  build = router.tabs { { "Alone", "show" } },
  via = "present",
})

router.interceptor("old", function(nav)
  if router.state.stop then router.stop("no way to " .. nav.service) end
end)
router.interceptor("new", function() router.state.new = true end)
router.interceptAll("old", { only = { "Old" } })
router.interceptAll("new", { only = { "New" } })
router.interceptor("slow", function() router.sleep(5) end)
flagged("Slow", { "SlowOld", "show" })
register("SlowOld", "show", {
  intercept = "slow",
  build = function() return screen("SlowOld") end,
})

router.start { "Home", "show" }
flagged("Home", { "OldHome", "show" })
register("OldHome", "show", function() return screen("OldHome") end)
