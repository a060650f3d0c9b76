-- A bracket is missing.
router.register("A", "show", function()
  return router.screen("A"
end)
