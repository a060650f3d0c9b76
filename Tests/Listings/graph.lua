-- An app with each relation that a graph of routes shows.
router.start(function()
  return router.tabs { router.nav { router.screen "Home" }, router.nav { router.screen "News" } }
end)

router.class("News", { offers = { "Order/show", "Help/show" } })

router.links { "app" }

router.interceptor("login", function(nav)
  if not router.state.user then router.redirect("Login", "show") end
end)
router.interceptor("track", function() end)
router.interceptAll("track", { except = { "Login" } })

router.register("Home", "show", { url = "/", reuse = "class", build = router.screen "Home" })

router.register("Order", "show", {
  url = "/orders/:id(int)",
  from = { "Home", "show" },
  build = function() return router.screen "OrderPage" end,
  intercept = { "login", function() router.redirect("Home", "show") end },
  enabled = function() return false end,
  fallback = { "Help", "show" },
})
router.alias("/o/:id(int)", "/orders/:id(int)")

-- A circle: each redirects to the other.
router.register("Login", "show", {
  build = router.screen "Login",
  via = "presentWithNav",
  intercept = function() if router.state.user then router.redirect("Account", "show") end end,
})
router.register("Account", "show", {
  build = router.nav { router.screen "Account" },
  from = router.newNav { via = "present", from = "root" },
  intercept = function() router.redirect("Login", "show") end,
})

router.register("Help", "show", {
  build = router.screen "Help",
  from = router.switch {
    { when = "Dialog", from = "Dialog" },
    { from = function() return "current" end },
    default = router.link { find = "Shelf", build = router.screen "Shelf" },
  },
})

router.register("Split", "show", {
  build = router.tabs { { "Help", "show", via = "addTab" }, { "Order", "show" }, router.nav { router.screen "More" } },
})

router.register("Gone", "show", {
  build = router.screen "Gone",
  intercept = function() router.redirect("Nowhere", "show") end,
})
router.registerTask("Order", "count", function() return 0 end)
router.fallback { screen = function() return router.screen "Missing" end }
