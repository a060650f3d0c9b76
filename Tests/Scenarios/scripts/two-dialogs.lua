-- Two logins that wait at once: one in the place of the root, and a sheet over it.
local navigate, register, screen, start =
  router.navigate, router.register, router.screen, router.start

start(function() return router.nav { screen "Home" } end)

register("Login", "root", { build = screen "Login", via = "replaceRoot" })
register("Pin", "show", { build = screen "Pin", via = "present" })
router.interceptor("login", function() navigate("Login", "root"):result() end)
router.interceptor("pin", function() navigate("Pin", "show"):result() end)
register("First", "show", { url = "/first", build = screen "First", intercept = "login" })
register("Second", "show", { build = screen "Second", via = "present", intercept = "pin" })
register("Free", "show", { url = "/free", build = screen "Free", via = "present" })
