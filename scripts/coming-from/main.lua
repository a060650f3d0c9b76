-- A shop of books: tabs, a list with details, a login guard, and a modal that returns a result.
local register, screen = router.register, router.screen

router.start(function()
  return router.tabs {
    router.nav { screen "Books" },
    router.nav { screen "Account" },
  }
end)

register("Books", "show", { find = "Books" })

-- The list is the parent: a deep link builds it too, unless it exists.
register("Book", "show", {
  url = "/books/:id(int)",
  find = { class = "Book", by = "id" },
  build = screen "Book",
  via = "push",
  from = { "Books", "show" },
})

register("Orders", "show", {
  url = "/orders",
  build = screen "Orders",
  via = "push",
  from = router.link { find = "Account" },
  intercept = "login",
})

register("Login", "show", {
  find = "Login",
  build = screen "Login",
  via = "presentWithNav",
})

-- The guard: waits for the login, then the navigation continues.
router.interceptor("login", function()
  if router.state.user then return end
  local ok, user = router.navigate("Login", "show"):result()
  if not ok then router.stop "nobody is logged in" end
  router.state.user = user
end)

register("Rating", "pick", {
  info = { id = "integer" },
  result = "integer",
  build = screen "Rating",
  via = "presentWithNav",
})

router.export("rate", function(info)
  local ok, stars = router.navigate("Rating", "pick", { id = info.id }):result()
  return ok and stars or 0
end)

-- The end: a file that is saved half is rejected.
router.complete()
