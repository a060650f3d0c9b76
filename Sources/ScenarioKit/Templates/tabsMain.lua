-- The routes of an app with two tabs. Each tab keeps its own back stack.
router.api(1)
router.links { "myapp" }

router.start(function()
  return router.tabs {
    router.nav { router.screen "News" },
    router.nav { router.screen "Saved" },
  }
end)

-- A route that finds its screen selects the tab that contains it.
router.register("News", "show", { url = "/", find = "News" })
router.register("Saved", "show", { url = "/saved", find = "Saved" })

-- An article opens in the first tab; an existing screen of it is shown again.
router.register("Article", "show", {
  url = "/articles/:id(int)",
  examples = { { id = 7 } },  -- for 'luaroute explore'
  reuse = { by = "id" },
  build = router.screen "Article",
  via = "push",
  from = { "News", "show" },
})
