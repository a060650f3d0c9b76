-- Parameters become fields of screens: of the fields that a class declares, or of all where it
-- declares none and a template makes the screen.
local register, screen = router.register, router.screen

router.class("Listed", { fields = { "id", "tab" } })
router.class("Typed", { fields = { id = "integer" } })
router.class("Shut", { fields = {} })
router.class("Bare", {})
router.class("Deck", { kind = "nav" })
router.class("Pack", { kind = "nav", fields = { "id" } })
router.class("Vault", { fields = { "pin" }, private = { "pin" } })

router.kind("lower", function(text) return text:lower() end)

router.start(function() return router.nav { screen "Home" } end)

local info = { id = "integer", tab = "string?" }

register("Orders", "show", {
  url = "/orders/:id(int)",
  find = { class = "Orders", by = "id" },
  build = screen "Orders",
})
for _, name in ipairs { "Listed", "Shut", "Bare", "Open" } do
  register(name, "show", { info = info, reuse = "class", build = screen(name) })
end
register("Begins", "show", { info = info, reuse = "class", build = screen("Begins", { tab = "first" }) })
register("Typed", "show", { url = "/typed/:id", build = screen "Typed" })
register("Function", "show", { info = info, build = function() return screen "Function" end })
register("Reserved", "show", {
  url = "/reserved/:parent/:class/:serial/:name",
  build = screen "Reserved",
})
register("Functions", "show", { info = { id = "any", run = "function" }, build = screen "Functions" })
register("Deck", "show", { info = info, via = "present", build = screen "Deck" })
register("Pack", "show", { info = info, via = "present", build = screen "Pack" })
register("Plain", "show", { info = info, via = "present", build = router.nav { screen "Leaf" } })
register("Tree", "show", { info = info, via = "present", build = router.nav { { "Open", "show" } } })
register("Vault", "show", { info = { pin = "string" }, private = { "pin" }, build = screen "Safe" })
register("Many", "show", {
  url = { "/many/:id(int)/:tab", "/many/:id(int)", "/texts/:name(lower)?id=:id" },
  reuse = "class",
  build = screen "Many",
})
register("Update", "show", {
  info = info,
  build = screen "Update",
  update = function(page) page.seen = page.id end,
})
register("Behind", "show", { url = "/behind/:tab", find = "Behind", build = screen "Behind" })
register("Front", "show", { info = { id = "integer" }, build = screen "Front", from = { "Behind", "show" } })
register("Sorted", "show", { url = "/sorted?by=:sort?", find = "Sorted", build = screen "Sorted" })
register("Item", "show", {
  info = { id = "integer", sort = "string?" },
  build = screen "Item",
  from = { "Sorted", "show" },
})
register("Linked", "show", {
  info = { id = "integer" },
  build = screen "Linked",
  from = router.link { find = { class = "Orders", by = "id" }, build = screen "Orders" },
})
router.alias("/old/:id(int)", "/orders/:id(int)")
router.export("passFunctions", function()
  router.navigate("Functions", "show", { id = print, run = print }):await()
  router.navigate("Orders", "show", { id = print }):await()
end)

-- Functions that return nothing.
register("Silent", "build", function() end)
register("Silent", "nil", function() return nil end)
register("Silent", "adapt", { adapt = function() end, build = screen "Silent", from = { "Open", "show" } })
register("Silent", "second", { build = screen "Silent", from = { "Silent", "build" } })
router.handle("silent", function() end)

-- A class whose fields have types has no others.
register("Typed", "writes", {
  info = { id = "integer" },
  build = screen "Typed",
  update = function(page) page.idd = 1 end,
})
register("Typed", "makes", function() return screen("Typed", { id = 1, ide = 2 }) end)
register("Typed", "clears", { find = "Typed", update = function(page) page.old = nil end })

-- Handlers take what they declare.
router.handle("order", { info = { id = "integer" } }, function(route) return "Orders", "show" end)
