-- An app of things that wait: for time, for people, for other navigations.
local register, registerTask, screen = router.register, router.registerTask, router.screen

router.expects { tasks = { "Auth/login", "Draft/save" } }

router.class("Note", { fields = { "id" } })
router.class("Draft", {
  fields = { "text" },
  leaving = function(_, draft, proceed)
    if not draft.text then return proceed(true) end
    router.doTask("Draft", "save", { text = draft.text }, function(finished)
      proceed(finished, "the draft is not saved")
    end)
  end,
})

-- Screens.

register("Home", "show", function() return screen("Home") end)
register("Note", "show", {
  info = { id = "integer" },
  build = function() return screen("Note") end,
  via = "push",
})
register("Draft", "show", {
  info = { text = "string?" },
  build = function() return screen("Draft") end,
})
register("Login", "show", {
  build = function() return screen("Login") end,
  via = "presentWithNav",
})

-- Interceptors.

router.interceptor("login", { timeout = 60 }, function()
  if router.state.user then return end
  local login = router.navigate("Login", "show")
  local ok, user = login:result()
  if not ok then router.stop("login was " .. user) end
  router.state.user = user
end)
router.interceptor("slow", function() router.sleep(2) end)
router.interceptor("never", { timeout = 5 }, function(_, proceed)
  router.state.proceed = proceed ~= nil
end)
router.interceptor("later", function(_, proceed)
  router.delay(1, function() proceed(true) end)
end)
router.interceptor("no", function()
  router.sleep(1)
  return false, "not today"
end)
router.interceptor("stay", function()
  router.sleep(1)
  router.stay("no reason to go")
end)
router.interceptor("away", function()
  router.sleep(1)
  router.redirect("Note", "show", { id = 7 })
end)

for _, name in ipairs { "slow", "never", "later", "no", "stay", "away" } do
  register("By", name, {
    build = function() return screen("Page", { name = name }) end,
    intercept = name,
  })
end
register("Orders", "show", {
  build = function() return screen("Orders") end,
  intercept = "login",
})
register("Two", "show", {
  build = function() return screen("Two") end,
  intercept = { "slow", "later" },
})
register("Asked", "show", {
  build = function() return screen("Asked") end,
  intercept = function()
    local ok, answer = router.navigate("Login", "show"):result { timeout = 10 }
    router.state.answer = ok and answer or tostring(answer)
  end,
})
register("Chatty", "show", {
  build = function() return screen("Chatty") end,
  after = function()
    router.sleep(3)
    router.log.info("read for three seconds")
  end,
})

-- Tasks.

registerTask("Work", "sleep", function(info)
  router.sleep(info.seconds)
  return "slept"
end)
registerTask("Work", "late", function() end, { timeout = 5 })
registerTask("Work", "login", function()
  local _, task = router.doTask("Auth", "login")
  local ok, user = task:await()
  if not ok then error("no login") end
  return user
end)
registerTask("Work", "show", function()
  local there, why = router.navigate("By", "slow"):await()
  return there and "there" or why.status
end)

-- Timers.

router.export("count", function(info)
  local function tick()
    router.state.ticks = (router.state.ticks or 0) + 1
    if router.state.ticks < info.to then router.delay(info.every, tick) end
  end
  router.delay(info.every, tick)
end)
router.export("forever", function()
  local function tick() router.delay(1, tick) end
  tick()
end)
router.export("go", function(info) router.navigate("By", info.by) end)
