-- Pages of a session, in all the places where a page can be, and what is left of them when it ends.
local register, screen = router.register, router.screen
local home = router.link { find = "Home" }

router.expects { tasks = { "Server/ask" } }
router.start(function()
  router.state.starts = (router.state.starts or 0) + 1
  return router.nav { screen "Home" }
end)

router.class("Order", {
  fields = { "id" },
  dismissible = false,
})
register("Order", "show", { ready = "session", url = "/orders/:id(int)", build = screen "Order" })
-- Found, it keeps the route that built it.
register("Order", "found", { find = "Order" })
register("Order", "ask", {
  ready = "session",
  build = screen "Asked",
  intercept = function()
    local _, task = router.doTask("Server", "ask")
    task:await()
  end,
})
register("Free", "show", { build = screen "Free" })
register("Free", "sheet", { build = screen "Sheet", via = "present" })
register("Order", "sheet", { ready = "session", build = screen "Bill", via = "presentWithNav" })
register("Order", "tab", { ready = "session", build = screen "Orders", via = router.addTab {} })
register("Order", "root", { ready = "session", build = screen "Shell", via = "replaceRoot" })
register("Orders", "tree", {
  via = "replaceRoot",
  build = router.tabs { router.nav { { "Free", "show" } }, router.nav { { "Order", "show" } } },
})
register("Key", "show", { ready = { "session", "key" }, build = screen "Key" })
register("On", "key", { build = screen "On", from = { "Key", "show" } })

-- The host shows it, and any navigation removes it.
router.class("Camera", { kind = "foreign", foreign = "dismiss" })
-- It asks before it is left, but for the end of the session.
router.class("Draft", { leaving = function() router.stop "the draft stays" end })
register("Draft", "show", { ready = "session", build = screen "Draft", from = home })
-- It waits for the answer of the server before it is left.
router.class("Slow", {
  leaving = function()
    local _, task = router.doTask("Server", "ask")
    task:await()
  end,
})
register("Slow", "show", { build = screen "Slow" })
-- It navigates while it is left.
register("Bye", "show", {
  ready = "session",
  build = screen "Bye",
  closed = function() router.navigate("Free", "show") end,
})

router.export("leave", function(i) return router.unready(i.gate, { leave = true }).status end)
router.export("await", function()
  local ok, value = router.navigate("Order", "sheet"):result()
  return { ok, value }
end)
