-- What stands behind is no form that there is.
router.register("Main", "show", {
  build = function() return router.screen("Main") end,
  from = { "Home", "show", "now" },
})
