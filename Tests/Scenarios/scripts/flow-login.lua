-- A login that is waited for, and what else happens meanwhile.
local register, screen = router.register, router.screen

router.expects { tasks = { "Account/check" } }

router.start(function() return router.nav { screen "Home" } end)

router.class("News", { fields = { "id" } })
register("News", "show", {
  info = { id = "integer" },
  build = function() return screen "News" end,
})

-- The pages of the login: one sheet, however often they are asked for.
register("Login", "show", {
  find = "Login",
  build = function() return screen "Login" end,
  via = "presentWithNav",
})
register("Forgot", "show", {
  find = "Forgot",
  build = function() return screen "Forgot" end,
  from = { "Login", "show" },
})

router.interceptor("login", { timeout = 60 }, function()
  if router.state.user then return end
  local login = router.navigate("Login", "show", {}, { via = "presentWithNav" })
  local ok, user = login:result()
  if not ok then router.stop("login was " .. user) end
  router.state.user = user
end)

-- Asks the host first: until it answers nobody sees anything of the login.
router.interceptor("account", function()
  local _, check = router.doTask("Account", "check")
  if not check:await() then router.stop("there is no account") end
end)

for name, interceptors in pairs {
  Orders = { "login" },
  Profile = { "login" },
  Wallet = { "account", "login" },
} do
  register(name, "show", {
    build = function() return screen(name) end,
    intercept = interceptors,
  })
end

-- Waits for the login for a minute, though it can be used.
register("Brief", "show", {
  build = function() return screen "Brief" end,
  intercept = function()
    local ok, why = router.navigate("Login", "show"):result { timeout = 60 }
    if not ok then router.stop("login: " .. why) end
  end,
})

router.export("goToOrders", function() router.navigate("Orders", "show") end)
