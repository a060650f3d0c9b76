-- Many mistakes, each in a line of its own. All of them are reported at once.
local register, screen = router.register, router.screen

local function page() return screen("Page") end

register("Home", "show", { build = page, url = "/home/:tab(tba)" })
register("Cart", "show", {
  build = page,
  url = { "/cart", "/home/:id(itn)" },
  from = {
    "Hoem",
    "show",
  },
})
register("Payment", "show", {
  build = page,
  url = "/cart",
  via = "presentt",
  intercept = { "login", "terms" },
})
register("Hen", "show", { build = page, from = { "Egg", "show" } })
register("Egg", "show", {
  build = page,
  from = router.switch{
    { when = "Page", from = router.newNav{ from = { "Hen", "show" } } },
    default = { "Hen", "show" },
  },
})
router.interceptor("login", function() end)
router.interceptAll("login", { except = { "Login", "Home" } })
router.alias("/basket", "/crat")
router.start{ "Home", "open" }
