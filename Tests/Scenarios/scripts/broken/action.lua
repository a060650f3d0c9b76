-- An action is misspelled, in a step behind.
router.register("Orders", "show", {
  build = function() return router.screen("Orders") end,
  from = router.link {
    build = function() return router.nav {} end,
    via = "presnt",
    from = "current",
  },
})
