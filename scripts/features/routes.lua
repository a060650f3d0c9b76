--
-- routes.lua: where the route strings of a backend lead, `profile|{"id":7}`.
--
local export, handle, open = router.export, router.handle, router.open

-- One handler owns several identifiers, and goes by the screen that asks: from a
-- feed a profile is a small page over it.
handle({ "profile", "profile_mainroute" }, { info = { id = "integer", tab = "string?" } },
  function(route, from)
    local isFeed = from and (from.class == "Feed" or from.class == "NewFeed")
    if isFeed and route.identifier == "profile" then
      return "ProfileHint", "peek", { id = route.info.id, from = from.class }
    end
    return "Profile", "show"
  end)

-- Without an info of its own a handler passes the payload on.
handle("shop", function() return "Shop", "show" end)

-- A payload may hold a route string: what comes after.
handle("flow", { info = { first = "string", next = "string?" } }, function(route)
  return "Flow", "step", route.info
end)

router.register("Flow", "step", {
  info = { first = "string", next = "string?" },
  build = function(info) return router.screen("Step", { title = info.first, next = info.next }) end,
})

-- The step is done: on to what it names.
export("goOn", function()
  local step = router.visible()
  if step and step.next then open(step.next) end
end)
