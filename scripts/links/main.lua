--
-- main.lua: the deep links of a shop. What it answers for is declared here, at
-- once; what a link does is said by the module that can do it, when it can.
router.api(1)
local links, nav, register, screen, start =
  router.links, router.nav, router.register, router.screen, router.start

links { "shop", "https://shop.example" }

-- A deep link that arrives before these modules have its action is queued.
require "session"
require "orders"
require "offers"
require "migration"
require "support"

register("Home", "show", {
  url = "/",
  find = "Home",
  build = function() return screen "Home" end,
})

start(function() return nav { screen "Home" } end)

-- The last line: while this file is being written, what there is of it so far is
-- not served.
router.complete()
