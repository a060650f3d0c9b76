-- Interceptors whose children come to an interceptor that waits already.
local interceptor, interceptAll, navigate, open, register, screen, stop =
  router.interceptor, router.interceptAll, router.navigate, router.open, router.register,
  router.screen, router.stop

interceptor("login", function()
  if router.state.user then return end
  local ok = navigate("Login", "show"):await()
  if not ok then stop "login was cancelled" end
end)
interceptAll("login", { only = { "Login", "Orders" } })
register("Login", "show", function() return screen "Login" end)
register("Orders", "show", function() return screen "Orders" end)

-- Two interceptors that navigate to each other's route.
local function asking(name, other)
  interceptor("to" .. other, function()
    if not navigate(other, "show"):await() then stop(other .. " is closed") end
  end)
  register(name, "show", { intercept = "to" .. other, build = function() return screen(name) end })
end
asking("One", "Two")
asking("Two", "One")

-- By a URL, whose route is known later.
register("Web", "show", {
  url = "/web/:page",
  intercept = function(nav)
    if not open("/web/" .. nav.info.page):await() then stop "no page" end
  end,
  build = function() return screen "Web" end,
})

-- Each with another info.
register("Count", "down", {
  info = { n = "integer" },
  intercept = function(nav)
    local n = nav.info.n
    if n > 0 and not navigate("Count", "down", { n = n - 1 }):await() then stop("at " .. n) end
  end,
  build = function(info) return screen("Count", { n = info.n }) end,
})
