-- A screen and a state with values that no report may show.
router.class("Card", { fields = { "pin" }, private = "pin" })
router.start(function() return router.nav { router.screen "Home" } end)
router.register("Card", "show", {
  info = { pin = "string" },
  build = router.screen "Card",
})
