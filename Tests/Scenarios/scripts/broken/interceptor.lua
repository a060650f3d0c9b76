-- A step names an interceptor that nobody declares.
router.interceptor("login", function() end)
router.register("Orders", "show", {
  build = function() return router.screen("Orders") end,
  intercept = { "login", "lgoin" },
})
