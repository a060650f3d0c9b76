-- Requests that are the same: old routes redirect to new ones, after a question to the server.
local navigate, register, screen = router.navigate, router.register, router.screen

router.expects { tasks = { "Server/ask" } }

router.interceptor("ask", function()
  local _, task = router.doTask("Server", "ask")
  if not task:await() then router.stop "no" end
end)

register("New", "show", {
  info = { id = "integer" },
  build = function(info) return screen("New", { id = info.id }) end,
  intercept = "ask",
})
register("Old", "show", {
  info = { id = "integer" },
  build = screen "Old",
  intercept = function(nav) router.redirect("New", "show", { id = nav.info.id }) end,
})
router.class("Asks", {
  leaving = function() navigate("New", "show", { id = 1 }, { from = router.find "Home" }):await() end,
})
register("Note", "show", { build = screen "Note" })
register("Progress", "show", {
  find = "Progress",
  build = screen "Progress",
  via = "presentWithNav",
})

-- The interceptor shows its progress, and waits for the server and not for the screen.
router.interceptor("progress", function()
  navigate("Progress", "show"):await()
  local _, task = router.doTask("Server", "ask")
  task:await()
  router.close(router.find "Progress"):await()
end)
register("Report", "show", { build = screen "Report", intercept = "progress" })

-- The interceptor waits at its page, by its function or by 'proceed', itself or in a task.
local answer
register("Login", "show", {
  find = "Login",
  build = screen "Login",
  via = "presentWithNav",
  closed = function(_, user)
    if answer then answer(user ~= nil, "no login") end
    answer = nil
  end,
})
router.interceptor("proceed", function(_, proceed)
  answer = proceed
  navigate("Login", "show")
end)
router.interceptor("result", function()
  if not navigate("Login", "show"):result() then router.stop "no login" end
end)
router.registerTask("Login", "ask", function() return (navigate("Login", "show"):result()) end)
router.interceptor("task", function()
  local _, task = router.doTask("Login", "ask")
  local _, isDone = task:await()
  if not isDone then router.stop "no login" end
end)
-- After its page has closed, it asks the server.
router.interceptor("then", function()
  if not navigate("Login", "show"):result() then router.stop "no login" end
  local _, task = router.doTask("Server", "ask")
  task:await()
end)
for _, name in ipairs { "result", "task", "then", "proceed" } do
  register("Orders", name, { build = screen("Orders"), intercept = name })
end
