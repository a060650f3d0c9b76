-- A step finds, and recycles too.
router.register("Main", "show", {
  find = "Main",
  reuse = "class",
  build = function() return router.screen("Main") end,
})
