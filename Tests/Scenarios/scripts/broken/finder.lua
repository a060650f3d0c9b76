-- A finder searches somewhere that there is not.
router.register("Main", "show", {
  find = { class = "Main", search = "currentAndUpp" },
  build = function() return router.screen("Main") end,
})
