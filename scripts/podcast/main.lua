--
-- main.lua: a podcast app. A main page leads to shows and to the player, and
-- these lead to each other without end. Recycling keeps the stack short.
--
local class, nav, screen, start = router.class, router.nav, router.screen, router.start

require "shows"
require "player"

class("MainPage", { fields = { "title" } })

start(function()
  return nav { screen("MainPage") }
end)
