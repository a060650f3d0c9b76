-- The code of the article "The session lives in Swift".
router.api(1)
local register, screen = router.register, router.screen

router.start(function() return router.nav { screen "Welcome" } end)

register("Shell", "show", {
  ready = "session",
  find = "tabs",
  build = router.tabs {
    router.nav { { "Home", "show" } },
    router.nav { { "Account", "show" } },
  },
  via = "replaceRoot",
})

register("Order", "show", {
  url = "/orders/:id(int)",
  ready = "session",
  find = { class = "Order", by = "id" },
  build = screen "Order",
  from = { "Shell", "show" },
})

register("Home", "show", { find = "Home", build = screen "Home" })
register("Account", "show", {
  find = "Account",
  build = function() return screen("Account", { of = router.state.user }) end,
})
register("Help", "show", { url = "/help", find = "Help", build = screen "Help", via = "present" })

router.complete()
