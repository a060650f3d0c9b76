-- The code of the article "Which one do I use?": each part alone is enough for its job.
router.api(1)
local register, screen = router.register, router.screen

router.start(function()
  return router.tabs { router.nav { screen "Home" }, router.nav { screen "Account" } }
end)

-- Protect a route.
router.interceptor("login", function()
  if router.state.user then return end
  local ok, user = router.navigate("Login", "show"):result()
  if not ok then router.stop "nobody is logged in" end
  router.state.user = user
end)

register("Orders", "show", {
  build = screen "Orders",
  via = "push",
  from = router.link { find = "Home" },
  intercept = "login",
})

-- Show a login.
register("Login", "show", {
  find = "Login",
  build = screen "Login",
  via = "presentWithNav",
})

-- Reuse a page.
register("Book", "show", {
  url = "/books/:id(int)",
  find = { class = "Book", by = "id" },
  build = screen "Book",
  via = "push",
  from = router.link { find = "Home" },
})

-- Ask before leaving.
router.class("Draft", {
  fields = { "text" },
  guarded = function(draft) return draft.text ~= nil end,
  leaving = function(nav, draft)
    local isAnswered, mayDiscard = router.navigate("Discard", "ask"):result()
    if not (isAnswered and mayDiscard) then router.stop "the draft is kept" end
  end,
})

register("Draft", "show", {
  build = screen "Draft",
  via = "push",
  from = router.link { find = "Home" },
})

register("Discard", "ask", {
  result = "boolean",
  find = "Discard",
  build = screen "Discard",
  via = "present",
})

-- Wait for something.
register("Inbox", "show", {
  url = "/inbox",
  ready = "session",
  build = screen "Inbox",
  via = "push",
  from = router.link { find = "Home" },
})

-- A route that only redirects.
register("Book", "old", {
  url = "/library/:shelf/:id(int)",
  redirect = { "Book", "show" },
})

register("Me", "show", {
  url = "/me",
  redirect = {
    to = { { "Orders", "show" }, { "Login", "show" } },
    pick = function()
      if router.state.user then return { "Orders", "show" } end
      return { "Login", "show" }
    end,
  },
})

-- Pick a value.
register("Color", "pick", {
  result = "string",
  find = "Color",
  build = screen "Color",
  via = "presentWithNav",
})

router.export("pickColor", function()
  local ok, color = router.navigate("Color", "pick"):result()
  return ok and color or "none"
end)

-- Go back over several screens.
router.export("home", function() router.popTo("Home"):await() end)

-- Two windows.
router.export("openWindow", function()
  router.openWindow("second", router.nav { screen "Home" }):await()
end)

router.complete()
