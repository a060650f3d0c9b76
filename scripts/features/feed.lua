--
-- feed.lua: the first screen, in its new form and in the old one.
--
local class, register, screen = router.class, router.register, router.screen

class("NewFeed", { fields = { "visit" } })
class("Feed", { fields = { "visit" } })

-- The flag is asked once what the feature needs is there.
register("NewFeed", "show", {
  needs = { "flags", "session" },
  enabled = function(_, nav) return nav.deps.flags.isOn("newFeed") end,
  fallback = { "Feed", "show" },
  build = function(_, nav)
    return screen("NewFeed", { visit = nav.deps.session:visit("new feed") })
  end,
})

register("Feed", "show", {
  needs = "session",
  build = function(_, nav)
    return screen("Feed", { visit = nav.deps.session:visit("feed") })
  end,
})
