--
-- gates.lua: routes that wait until something is ready
--
local export, interceptor, register, screen =
  router.export, router.interceptor, router.register, router.screen

register("Home", "show", { url = "/", find = "Home", build = function() return screen "Home" end })

-- A page with one gate, and one with two.
register("Account", "show", {
  info = { id = "integer?" },
  url = "/account/:id(int)?",
  ready = "session",
  intercept = "count",
  build = function(info) return screen("Account", { id = info.id }) end,
})

register("Vault", "show", {
  ready = { "session", "key" },
  build = function() return screen "Vault" end,
})

-- A page that is pushed on the page with two gates.
register("Coin", "show", {
  build = function() return screen "Coin" end,
  from = { "Vault", "show" },
})

-- A page that is pushed on a page with a gate, which is pushed on another one.
register("Stamp", "show", {
  build = function() return screen "Stamp" end,
  from = { "Locked", "show" },
})

register("Locked", "show", {
  ready = "lock",
  build = function() return screen "Locked" end,
  from = { "Account", "show" },
})

register("Open", "show", { build = function() return screen "Open" end })

-- A page that is pushed on the account.
register("Bill", "show", {
  info = { id = "integer?" },
  intercept = "count",
  build = function() return screen "Bill" end,
  from = { "Account", "show" },
})

-- A page that is pushed on the visible screen: no gates of parent routes are checked.
register("Receipt", "show", {
  build = function() return screen "Receipt" end,
  from = router.link { find = "Bill", build = function() return screen "Bill" end,
    from = { "Account", "show" } },
})

-- A tree with the account in it, written down and built by a function.
register("Tabs", "show", {
  build = router.tabs { router.nav { { "Home", "show" } }, router.nav { { "Account", "show" } } },
  via = "replaceRoot",
})

register("Made", "show", {
  build = function() return router.nav { { "Account", "show" } } end,
  via = "present",
})

register("Checked", "show", {
  info = { id = "integer" },
  ready = "session",
  build = function() return screen "Checked" end,
})

-- A page whose interceptor leads elsewhere.
register("Elsewhere", "show", {
  ready = "session",
  intercept = function() router.redirect("Vault", "show") end,
  build = function() return screen "Elsewhere" end,
})

register("Slow", "show", {
  intercept = function() router.sleep(1) end,
  build = function() return screen "Slow" end,
})

interceptor("count", function()
  router.state.asked = (router.state.asked or 0) + 1
end)

export("ready", function(of) router.ready(of.gate) end)
export("unready", function(of) router.unready(of.gate) end)
export("twoPages", function()
  router.navigate("Account", "show", { id = 1 })
  router.navigate("Account", "show", { id = 2 })
end)

-- A link that goes to a page, also before there is a tree.
router.routing("/go/:id(int)"):setAction(function(request)
  router.navigate("Account", "show", { id = request.parameters.id })
end)

router.routing("/home"):setAction(function() router.navigate("Open", "show") end)
