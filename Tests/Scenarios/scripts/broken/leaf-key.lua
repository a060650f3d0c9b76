-- A leaf of a tree has a key that it does not take.
router.register("Main", "show", {
  build = router.tabs { { "Home", "show", adpat = function(info) return info end } },
})
