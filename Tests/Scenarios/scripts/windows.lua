--
-- windows.lua: several windows, and what the host shows by itself
--
local function page() return router.screen "Page" end

router.start(function() return router.nav { router.screen "Home" } end)
router.class("Camera", { kind = "foreign", foreign = "dismiss" })
router.class("Draft", { dismissible = false })

router.register("Page", "show", { url = "/page", build = page })
router.register("Home", "show", { find = "Home" })
router.register("Draft", "show", function() return router.screen "Draft" end)
router.register("Login", "show", function() return router.screen "Login" end)
router.register("Orders", "show", {
  build = page,
  intercept = function()
    local login = router.navigate("Login", "show", {}, { via = "present" })
    local ok, why = login:result()
    if not ok then router.stop(why) end
  end,
})

router.registerTask("Windows", "open", function(info)
  local window = router.openWindow(info.name, router.nav { router.screen "Tool" })
  return window.status
end)
router.registerTask("Windows", "close", function(info)
  return router.closeWindow(info.name, { force = info.force }).status
end)
router.registerTask("Windows", "names", function() return router.windows() end)
