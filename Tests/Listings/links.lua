-- Routings beside routes, and a route that goes by the state.
local register, routing, screen = router.register, router.routing, router.screen

router.start(function()
  return router.nav { screen(router.state.user and "Home" or "Main") }
end)

local letter = routing "/letter/:number(int)"
letter:setAction(function() end)
routing "/letter/:name/:page(int)?"
routing "/both/:id"

register("Both", "show", {
  url = "/both/:id(int)",
  build = function() return screen "Both" end,
})

register("Orders", "show", {
  url = "/orders",
  prepare = function()
    if not router.state.user then router.stop "log in first" end
  end,
  build = function()
    local user = router.state.user
    return screen("Orders", { of = user.name, age = user.age })
  end,
})
