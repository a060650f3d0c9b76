-- Routes that pass parameters which others do not take.
router.api(1)
router.start(function() return router.nav { router.screen "Home" } end)

local page, id = router.screen "Page", { id = "integer" }
router.register("Page", "view", { info = { id = "integer", view = "integer" }, build = page })

router.register("Page", "child", { info = id, build = page, from = { "Page", "view" } })
router.register("Page", "tree", { info = id, build = router.nav { { "Page", "view" } }, via = "present" })
router.register("Page", "moved", { info = id, redirect = { "Page", "view" } })
router.register("Page", "picked", {
  redirect = { to = { { "Page", "view" } }, pick = function() return { "Page", "view", { id = 1 } } end },
})
router.register("Page", "sent", {
  build = page,
  intercept = function() router.redirect("Page", "view", { idd = 1 }) end,
})
router.register("Page", "lost", {
  build = page,
  intercept = function() router.redirect("Pgae", "view") end,
})
router.export("call", function()
  router.navigate("Page", "view", { idd = 1 }, { completion = function(_, why)
    router.state.why = why.message
  end })
end)
