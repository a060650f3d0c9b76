--
-- main.lua: an app of shapes, colours, products and cities. Each route declares
-- how its screen is found, how it is built otherwise, and its parent route; so
-- each can be navigated to from everywhere.
router.api(1)
local presenting, register, screen, start =
  router.presenting, router.register, router.screen, router.start

require "shapes"
require "colors"
require "products"
require "cities"
require "login"
require "wishes"
require "pages"
require "boxes"

start(function()
  return screen "Prompt"
end)

register("Welcome", "show", {
  find = "Prompt",
  build = screen "Prompt",
  via = "replaceRoot",
  from = "root",
})

-- Nothing to find and nothing to build: what is behind is where it leads.
register("Back", "show", { from = presenting() })

-- The last line: while this file is being written, what there is of it so far is
-- not served.
router.complete()
