-- The policy of a router: one that is busy refuses.
local register, screen = router.register, router.screen

router.options { policy = "reject" }

router.interceptor("login", function()
  local ok, user = router.navigate("Login", "show"):result()
  if not ok then router.stop("login was " .. user) end
end)
router.interceptor("slow", function() router.sleep(2) end)

local function page(name, definition)
  definition.build = function() return screen(name) end
  register(name, "show", definition)
end
page("Login", { via = "presentWithNav" })
page("Orders", { intercept = "login" })
page("Report", { intercept = "slow" })
page("News", {})
