--
-- main.lua: a podcast app. A main page leads to shows and to the player, and
-- these lead to each other without end. Recycling keeps the stack short.
router.api(1)
local alias, class, fallback, links, nav, register, screen, start =
  router.alias, router.class, router.fallback, router.links, router.nav, router.register,
  router.screen, router.start

require "shows"
require "player"
require "settings"
require "login"
require "orders"

class("MainPage", { fields = { title = "string?" } })
class("MissingPage", { fields = { "service", "task" } })

-- The origins of the app. URLs of the old web site are aliases.
links { "podcast", "https://podcasts.example" }
alias("/program/:showId(int)", "/shows/:showId(int)")

register("MainPage", "open", {
  url = "/",
  info = {},
  find = "MainPage",
  build = function() return screen("MainPage") end,
})

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

-- The last line: while this file is being written, what there is of it so far is
-- not served.
router.complete()
