--
-- main.lua: an app of features. Each declares its dependencies and whether it is
-- enabled; a backend names screens by route strings, and handlers declare where
-- they lead.
router.api(1)
local start = router.start

require "store"
require "feed"
require "profile"
require "shop"
require "routes"

-- A stack with the new feed in it, or with the old one while that is off.
start { "NewFeed", "show" }

-- The last line: while this file is being written, what there is of it so far is
-- not served.
router.complete()
