router.links { "concerts" }

require "concerts"
require "orders"
require "account"

router.class("Home", { offers = { "Event/show", "Artist/show", "Results/show", "Orders/show", "Profile/show" } })

router.start(function()
  return router.nav { router.screen "Home" }
end)
