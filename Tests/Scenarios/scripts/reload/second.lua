-- The same app later: one show a stack, another state, no more sale.
router.class("Show", { fields = { "id", "by" } })
router.start(function() return router.nav { router.screen "Main" } end)

router.register("Show", "open", {
  info = { id = "integer" },
  reuse = { by = "id" },
  build = function() return router.screen("Show", { by = "second" }) end,
})
router.register("Login", "show", function() return router.screen "Login" end)
router.register("Orders", "show", function() return router.screen("Orders", { by = "second" }) end)
router.registerTask("Import", "run", function() return "second" end)

router.migrate(function(state)
  state.visits = (state.visits or 0) + 100
end)
