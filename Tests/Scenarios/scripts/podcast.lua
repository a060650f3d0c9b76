-- The podcast app: shows and players are recycled.
local register, registerTask, screen = router.register, router.registerTask, router.screen

router.class("ShowPage", { fields = { "showId" } })
router.class("AudioPlayer", { fields = { "trackId", "title" } })

register("ShowPage", "open", function(info)
  local page = router.reuse(function(page)
    return page.class == "ShowPage" and page.showId == info.showId
  end) or screen("ShowPage")
  page.showId = info.showId
  return page
end)

register("AudioPlayer", "open", {
  info = { trackId = "integer", title = "string?" },
  reuse = "class",
  build = function() return screen("AudioPlayer") end,
})

register("Settings", "show", function() return screen("Settings") end)

register("Broken", "raise", function(info)
  error("no " .. info.what .. " today")
end)

register("Broken", "loop", function()
  while true do end
end)

register("Broken", "nothing", function() return nil end)

register("Chatty", "show", function()
  router.log.warn("chatty was asked for")
  return screen("Chatty")
end)

registerTask("Settings", "load", function(info, done)
  if not info.user then done(false) return end
  return { theme = "dark", user = info.user }
end)

registerTask("Settings", "save", function() end)

registerTask("Settings", "explode", function() error("boom") end)

router.start(function() return router.nav { screen("MainPage") } end)
