router.register("Main", "show", {
  find = { class = "Main", by = "id" },
  build = router.screen "Main",
  info = { id = 7 },
})
