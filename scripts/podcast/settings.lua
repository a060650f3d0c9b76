--
-- settings.lua: the settings of one person. Without a person there are none:
-- the page cannot be built, and there is nothing to load.
--
local class, register, registerTask, screen =
  router.class, router.register, router.registerTask, router.screen

class("SettingsPage", { fields = { user = "string" } })

register("Settings", "show", {
  info = { user = "string?" },
  build = function(info)
    if not info.user then return nil end
    return screen("SettingsPage", { user = info.user })
  end,
})

registerTask("Settings", "load", function(info, done)
  if not info.user then
    done(false)
    return
  end
  return { user = info.user, theme = "dark" }
end, {
  info = { user = "string?" },
  result = { user = "string", theme = { "dark", "light" } },
})
