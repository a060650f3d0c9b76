--
-- settings.lua: pages, one of which takes its time
--
local register, screen = router.register, router.screen

router.start(function() return router.nav { screen "Main" } end)

register("Page", "show", { build = function() return screen "Page" end })

router.interceptor("slow", { timeout = 600 }, function() router.sleep(300) end)

register("Slow", "show", {
  url = "/slow",
  intercept = "slow",
  build = function() return screen "Slow" end,
})

router.routing("/later")
