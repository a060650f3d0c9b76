-- Links that meet a login for which another navigation waits, and questions about a draft.
local navigate, register, screen = router.navigate, router.register, router.screen

router.start(function() return router.nav { screen "Home" } end)
router.expects { tasks = { "Server/ask" } }

router.class("Page", { fields = { "id" } })
local function page(service, definition)
  definition.info = { id = "integer" }
  definition.url = "/" .. service:lower() .. "/:id(int)"
  definition.build = definition.build or screen "Page"
  register(service, "show", definition)
end

-- The login, found if it is there; as a sheet, as a page, or in the place of the root.

register("Login", "show", { find = "Login", build = screen "Login", via = "presentWithNav", url = "/login" })
register("Login", "push", { find = "Login", build = screen "Login" })
register("Login", "root", { find = "Login", build = screen "Login", via = "replaceRoot" })
register("Login", "again", { build = screen "Login", via = "presentWithNav" })
register("Forgot", "show", { build = screen "Forgot" })
local function login(name, task)
  router.interceptor(name, function()
    if router.state.user then return end
    local ok, user = navigate("Login", task):result()
    if not ok then router.stop("login was " .. user) end
    router.state.user = user
  end)
end
login("login", "show")
login("pushed", "push")
login("rooted", "root")
login("again", "again")
page("Secret", { intercept = "login" })
page("Other", { intercept = "login" })
page("Pushed", { intercept = "pushed" })
page("Rooted", { intercept = "rooted" })
page("Again", { intercept = "again" })

-- Links without a login.

page("Free", {})
page("Sheet", { via = "present" })
page("Root", { via = "replaceRoot" })
page("Current", { from = "current" })
page("Waits", { atDialog = "wait" })
page("Joins", { atDialog = "join" })
page("Leaves", { atDialog = "leave" })
register("Home", "show", { url = "/home", find = "Home" })
register("Tab", "show", { url = "/tab", build = screen "Tabbed", from = { class = "Second" } })
-- The callback of a login in a browser: it closes the login.
register("Callback", "show", {
  url = "/callback?user=:user",
  find = function() return router.state.user == nil end,
  build = screen "Callback",
  intercept = function(nav)
    local found = router.find "Login"
    if found then router.close(found, nav.info.user):await() end
    router.stay "logged in"
  end,
})

-- A login that asks whether it may be left.
router.class("Asking", {
  leaving = function()
    local ok, isLeft = navigate("Ask", "leave"):result()
    if not (ok and isLeft) then router.stop "the login stays" end
  end,
})
register("Asking", "show", { find = "Asking", build = screen "Asking", via = "presentWithNav" })
register("Ask", "leave", { find = "Ask", build = screen "Ask", via = "present" })
router.interceptor("asking", function()
  if not navigate("Asking", "show"):result() then router.stop "no login" end
end)
page("Asked", { intercept = "asking" })

register("Leaver", "show", { build = screen "Leaver", via = "presentWithNav" })
router.interceptor("left", function()
  if not navigate("Leaver", "show"):result() then router.stop "no login" end
end)
page("Left", { intercept = "left" })

-- A draft that asks, and one that waits without a screen.
router.class("Draft", {
  leaving = function()
    if router.state.fails then error "broken" end
    local ok, answer = navigate("Ask", "leave"):result()
    if not (ok and answer) then router.stop "the draft stays" end
  end,
})
router.class("Slow", {
  leaving = function()
    local _, task = router.doTask("Server", "ask")
    local ok, answer = task:await()
    if not ok then error "no server" end
    if answer == "stay" then router.stop "it stays" end
    if answer == "quiet" then router.stay "it stays" end
  end,
})
router.class("Leaver", {
  -- It navigates away by itself, over itself.
  leaving = function() navigate("Home", "show"):await() end,
})
router.export("close", function(i) router.close(router.find(i.class), i.value) end)
-- The result of a screen that is replaced, in any place, and its declared type.
register("Pick", "show", { result = "integer", build = screen "Pick", closed = function(_, value)
  router.state.closed = value
end })
register("Pick", "modal", { build = screen "Pick", via = "presentWithNav" })
register("Pick", "root", { build = screen "Pick", via = "replaceRoot" })
for _, task in ipairs { "show", "modal", "root" } do
  router.registerTask("Picking", task, function()
    local ok, value = navigate("Pick", task):result()
    return { ok, value }
  end)
end
router.export("replace", function(i)
  router.replace(router.find "Pick", screen "Next", { value = i.value })
end)
