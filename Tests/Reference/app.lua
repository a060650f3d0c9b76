local screen, state = router.screen, router.state

router.expects {
  tasks = { "Account/load" },
  screens = { "Home", "Search", "Show", "Login", "Orders", "Profile" },
}
router.start(function() return router.nav { screen "Home" } end)

-- Shows: an existing screen of the same show is reused.
router.register("Show", "open", {
  info = { id = "integer" },
  url = "/shows/:id(int)",
  reuse = { by = "id" },
  build = function(info) return screen("Show", { id = info.id }) end,
})

-- Orders: an interceptor asks for a login first.
router.interceptor("login", function()
  if state.user then return end
  local ok, user = router.navigate("Login", "show"):result()
  if not ok then router.stop "login was cancelled" end
  state.user = user
end)
router.register("Login", "show", {
  find = "Login",
  build = function() return screen "Login" end,
  via = "presentWithNav",
})
router.register("Orders", "show", {
  intercept = "login",
  build = function() return screen "Orders" end,
})

-- The profile: a gate keeps it closed until a session exists.
router.register("Profile", "show", {
  ready = "session",
  build = function() return screen "Profile" end,
})

router.registerTask("Cart", "total", function(info) return info.count * 5 end)
router.export("greet", function(info) return "hello, " .. info.name end)
router.export("remind", function()
  router.delay(300, function() router.log.info "time to listen" end)
end)

-- Promotions: their deep links are queued until the app accepts them.
local promotions = router.routing "/promo/:code"
router.export("acceptPromotions", function()
  promotions:setAction(function(request) state.promo = request.parameters.code end)
end)
