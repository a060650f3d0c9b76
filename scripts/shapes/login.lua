--
-- login.lua: the page to log in, and the interceptor of what is only for those
-- who are.
--
local interceptor, nav, register, screen, stop =
  router.interceptor, router.nav, router.register, router.screen, router.stop

register("Login", "show", {
  find = "Login",
  build = nav { screen "Login" },
  via = "present",
  from = "current",
})

interceptor("login", function()
  if not router.state.user then stop "nobody is logged in" end
end)
