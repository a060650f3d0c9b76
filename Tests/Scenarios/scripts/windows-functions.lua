-- Functions of a navigation read the window of the navigation.
local register, screen = router.register, router.screen

router.class("Mail", { fields = { "id" } })
register("Reply", "write", {
  build = screen "Reply",
  from = { class = "Mail", search = { "current" }, start = function() return router.find "Mail" end },
})
register("Note", "new", {
  build = function()
    local tops = { router.visible().class, router.root().kind, router.topmost().kind }
    return screen("Note", { of = table.concat(tops, " ") })
  end,
})
register("Draft", "new", {
  find = function(s) return s.class == "Draft" and router.find "Mail" ~= nil end,
  build = screen "Draft",
})
router.interceptor("asks", function() router.state.mail = (router.find "Mail" or {}).id end)
register("Asked", "show", { build = screen "Asked", intercept = "asks" })
router.export("count", function() return router.find "Mail" and router.visible().class end)
register("From", "main", {
  build = screen "From",
  from = { start = function() return router.topmost "main" end, class = "Home" },
})

-- The 'prepare' of an interceptor that runs before the search, and that of one that runs after it.
for phase, name in pairs { search = "early", stage = "late" } do
  router.interceptor(name, {
    prepare = function(nav) if nav.info.stop == name then router.stop(name .. " is prepared") end end,
  }, function() router.state[name] = true end)
  router.interceptAll(name, { before = phase, only = { "Prepared" } })
end
register("Prepared", "show", { build = screen "Prepared" })

-- It waits, and reads its window then.
router.expects { tasks = { "Server/ask" } }
local function note() router.state.mail = (router.find "Mail" or {}).id end
register("Waited", "show", {
  build = screen "Waited",
  intercept = function()
    local _, task = router.doTask("Server", "ask")
    task:await()
    note()
  end,
})
-- It reads the window of the navigation that would remove it, and navigates there.
router.class("Keeper", {
  leaving = function()
    note()
    router.navigate("Note", "new"):await()
    router.stop "a note instead"
  end,
})
