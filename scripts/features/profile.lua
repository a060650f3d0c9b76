--
-- profile.lua: profiles. The new one falls back to the old one, and that to a
-- page which says that there is none.
--
local class, register, screen = router.class, router.register, router.screen

class("Profile", { fields = { "id", "title" } })
class("OldProfile", { fields = { "id" } })
class("ProfileHint", { fields = { "id", "from" } })

local function isOn(name)
  return function(_, nav) return nav.deps.flags.isOn(name) end
end

register("Profile", "show", {
  info = { id = "integer", tab = "string?" },
  needs = { "flags", "api", "analytics" },
  enabled = isOn("profile"),
  fallback = { "OldProfile", "show" },
  build = function(info, nav)
    return screen("Profile", { title = nav.deps.api.title(info.id) })
  end,
})

-- It gets the same info, as much of it as it declares.
register("OldProfile", "show", {
  info = { id = "integer" },
  needs = "flags",
  enabled = isOn("oldProfile"),
  fallback = { "ProfileHint", "show" },
  build = function() return screen("OldProfile") end,
})

register("ProfileHint", "show", {
  info = { id = "integer" },
  build = function() return screen("ProfileHint") end,
  via = "present",
})

-- The page that is built for a feed: a small one, over it.
register("ProfileHint", "peek", {
  info = { id = "integer", from = "string" },
  build = function() return screen("ProfileHint") end,
  via = "present",
})
