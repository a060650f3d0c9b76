--
-- unused.lua: what scenarios prepare for, and navigations that nobody awaits
--
local screen = router.screen

router.expects { tasks = { "Player/play", "Player/stop" } }

router.register("Show", "open", {
  ready = { "signedIn" },
  build = function() return screen("Show") end,
})
router.register("Link", "open", {
  from = router.link { build = function() return screen("Base") end, from = "current" },
  via = "push",
  build = function() return screen("Link") end,
})
router.registerTask("Sound", "start", function(info, done)
  router.doTask("Player", "play", info, done)
end)

router.export("nowhere", function() router.navigate("Nowhere", "show") end)
router.export("twice", function()
  for _ = 1, 2 do router.navigate("Nowhere", "show") end
end)
router.export("bad", function() router.open("/no/such/page") end)
router.export("leave", function() router.close(router.root()) end)
router.export("awaits", function() router.navigate("Nowhere", "show"):await() end)
router.export("asks", function() router.navigate("Nowhere", "show"):result() end)
router.export("hears", function()
  router.navigate("Nowhere", "show", {}, { completion = function() end })
end)
router.export("looks", function()
  return router.navigate("Nowhere", "show").status
end)
router.export("stays", function() router.back() end)
