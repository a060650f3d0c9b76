local page = require "pages"

router.register("Login", "show", {
  info = {},
  find = "Login",
  build = router.screen "Login",
  via = "presentWithNav",
})

router.interceptor("login", function()
  if router.state.isLoggedIn then return end
  if not router.navigate("Login", "show"):result() then
    router.stop "nobody is logged in"
  end
  router.state.isLoggedIn = true
end)

page("Orders", { "Ticket/show", "Invoice/show" }, "login")
page("Invoice", {}, "login")

router.register("Ticket", "show", {
  info = {},
  url = "/ticket",
  build = router.screen "Ticket",
  reuse = "class",
})

page("Profile", { "Settings/show", "Help/show" })
page("Settings", { "Language/show", "Notifications/show" })
page("Language", {})
page("Notifications", {})
page("Help", {})
