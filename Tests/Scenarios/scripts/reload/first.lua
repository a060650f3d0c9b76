-- The scripts of the first generation.
router.class("Show", { fields = { "id", "by" } })
router.start(function() return router.nav { router.screen "Main" } end)

router.register("Show", "open", {
  info = { id = "integer" },
  build = function() return router.screen("Show", { by = "first" }) end,
})
router.register("Login", "show", function() return router.screen "Login" end)
router.register("Orders", "show", {
  build = function() return router.screen("Orders", { by = "first" }) end,
  intercept = function()
    if router.state.user then return end
    local login = router.navigate("Login", "show", {}, { via = "presentWithNav" })
    local ok, user = login:result()
    if not ok then router.stop "nobody came in" end
    router.state.user = user
  end,
})
router.register("Sale", "show", {
  build = function() return router.screen "Sale" end,
  vanished = "pop",
})
router.registerTask("Import", "run", function(info, done)
  router.delay(5, function() done(true, "first") end)
end)
router.registerTask("Sync", "run", function() router.sleep(60) return "never" end, { timeout = 100 })
