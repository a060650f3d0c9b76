--
-- main.lua: a podcast app. A main page leads to shows and to the player, and
-- these lead to each other without end. Recycling keeps the stack short.
--
local class, fallback, nav, screen, start =
  router.class, router.fallback, router.nav, router.screen, router.start

require "shows"
require "player"
require "settings"
require "login"
require "orders"

class("MainPage", { fields = { "title" } })
class("MissingPage", { fields = { "service", "task" } })

start(function()
  return nav { screen("MainPage") }
end)

-- Asked for where nothing is registered. A screen is navigated to as asked.
fallback {
  screen = function(service, task)
    return screen("MissingPage", { service = service, task = task })
  end,
  task = function(service, task)
    return { missing = service .. "/" .. task }
  end,
}
