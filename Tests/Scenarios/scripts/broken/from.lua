-- The parent route has an unknown form.
router.register("Main", "show", {
  build = function() return router.screen("Main") end,
  from = { "Home", "show", "now" },
})
