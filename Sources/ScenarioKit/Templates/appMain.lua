-- The routes of an app with a list, its items, and an account that needs a login.
router.api(1)
require "login"

router.links { "myapp" }

router.start(function()
  return router.nav { router.screen "List" }
end)

router.register("List", "show", { url = "/", find = "List" })

-- An existing screen of the same item is shown again.
router.register("Item", "show", {
  url = "/items/:id(int)",
  examples = { { id = 7 } },  -- for 'luaroute explore'
  reuse = { by = "id" },
  build = router.screen "Item",
})

router.register("Account", "show", {
  url = "/account",
  intercept = "login",
  find = "Account",
  build = router.screen "Account",
})
