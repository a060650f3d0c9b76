-- Pages with a reuse policy: with a parent route, and without one.
local nav, register, screen, start =
  router.nav, router.register, router.screen, router.start

start(function() return nav { screen "Home", screen "List" } end)

register("List", "show", { find = "List" })

register("Page", "show", {
  info = { id = "integer" },
  reuse = { by = "id" },
  build = screen "Page",
  via = "push",
  from = { "List", "show" },
})

register("Page", "link", {
  info = { id = "integer" },
  reuse = { by = "id" },
  build = screen "Page",
})
