-- An exclusive group: URLs of its origin match its routes alone.
local nav, screen, state = router.nav, router.screen, router.state

router.links { "app", "https://shop.example", "https://admin.example" }
router.start(function() return nav { screen "Home" } end)

local function page(class)
  return function(info, nav) return screen(class, { id = info.id, path = nav.path }) end
end

router.register("Home", "show", { url = { "/home", "https://admin.example/home" }, find = "Home" })
router.register("Any", "show", { url = "/*path?", build = page "Any" })

local admin = router.group { url = "https://admin.example/panel", exclusive = true }
admin:register("Users", "show", { url = { "users", "/people" }, build = page "Users" })
admin:register("Old", "show", { url = "old/:id(int)", redirect = { "Item", "show" } })
admin:alias("accounts", "users")

-- Its groups are in it, and one with another origin has that for itself.
admin:group { url = "reports" }:register("Report", "show", { url = ":id(int)", build = page "Report" })
admin:group({ url = "app://panel", exclusive = true }):register("Panel", "show", {
  url = { "", "/panel/app" },
  build = page "Panel",
})

router.register("Item", "show", {
  url = "https://admin.example/items/:id(int)",
  build = page "Item",
})
-- An alias of a route of the group is in it; one of another route is not.
router.alias("https://admin.example/u", "/people")
router.alias("https://admin.example/everything", "/*path?")

-- A member may pass its URLs on: to other members.
admin:register("Next", "show", {
  url = "users?page=:page",
  build = function() return router.next end,
})

router.routing("/people"):setAction(function(request) state.people = request.url end)
router.rewrite(function(url)
  local rest = url:match "^https://shop%.example/admin/(.*)$"
  return rest and "https://admin.example/" .. rest
end)

router.export("late", function()
  admin:register("Late", "show", { url = { "late", "/late" }, build = page "Late" })
  router.register("Later", "show", { url = "/later", build = page "Later" })
end)
router.export("group", function()
  local group = router.group { url = "https://shop.example", exclusive = true }
  group:register("Shop", "show", { url = "shop", build = page "Shop" })
end)
router.export("twice", function()
  local ok, message = pcall(router.group, { url = "https://admin.example", exclusive = true })
  return message
end)
router.export("url", function(info)
  local ok, url = pcall(router.url, info.service, "show", { id = 7 })
  return url
end)
router.export("dispatch", function(info)
  local ticket, reason = router.dispatch(info.url)
  return ticket and "dispatched" or reason
end)
