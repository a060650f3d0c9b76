--
-- login.lua: the page to log in, and the interceptor of what is only for those
-- who are: it shows the page, and waits for what comes of it.
--
local interceptor, nav, navigate, register, screen, stop =
  router.interceptor, router.nav, router.navigate, router.register,
  router.screen, router.stop

register("Login", "show", {
  find = "Login",
  build = nav { screen "Login" },
  via = "present",
  from = "current",
})

-- The page is closed with the name of who logged in, or left without one.
interceptor("login", function()
  if router.state.user then return end
  local ok, user = navigate("Login", "show"):result()
  if not ok then stop "nobody is logged in" end
  router.state.user = user
end)
