-- A case of a switch leads nowhere.
router.register("Main", "show", {
  build = function() return router.screen("Main") end,
  from = router.switch { { when = "Home" }, default = "root" },
})
