-- The code of the article "Links that come back": logins and payments that end in another app.
router.api(1)
local register, screen = router.register, router.screen

router.expects { tasks = { "Session/exchange" } }
router.start(function() return router.nav { screen "Home" } end)

-- The login, which all links share.
router.interceptor("login", function(nav)
  if router.state.user then return end
  router.state.wanted = nav.url
  local ok, user = router.navigate("Login", "show"):result()
  if not ok then router.stop "nobody is logged in" end
  router.state.user = user
end)

register("Login", "show", {
  find = "Login",
  build = screen "Login",
  via = "presentWithNav",
})

-- Nobody waits for a login that comes back from a snapshot.
router.class("Login", { restore = function() return nil end })

register("Order", "show", {
  url = "/orders/:id(int)",
  find = { class = "Order", by = "id" },
  build = screen "Order",
  intercept = "login",
})
register("News", "show", { url = "/news/:id(int)", build = screen "News" })

-- The browser, or a mail, comes back with a code.
router.interceptor("exchange", function(nav)
  local _, exchange = router.doTask("Session", "exchange", { code = nav.info.code })
  local ok, user = exchange:await()
  if not ok then router.stop "the code is not valid" end
  local login = router.find "Login"
  if login then
    router.close(login, user):await()
    router.stay "the login goes on"
  end
  router.state.user = user
  if router.state.wanted then
    router.open(router.state.wanted):await()
    router.stay "the wanted page is open"
  end
end)

register("Session", "callback", {
  url = { "/oauth?code=:code", "/magic/:code" },
  find = "Home",
  intercept = "exchange",
})

-- A ticket waits for a payment in the browser.
router.interceptor("payment", function(nav)
  if router.state.paid == nav.info.id then return end
  local ok, status = router.navigate("Payment", "show", { id = nav.info.id }):result()
  if not ok or status ~= "paid" then router.stop "not paid" end
  router.state.paid = nav.info.id
end)

register("Payment", "show", {
  info = { id = "integer" },
  find = { class = "Payment", by = "id" },
  build = screen "Payment",
  via = "presentWithNav",
})
router.class("Payment", { fields = { "id" }, restore = function() return nil end })

register("Ticket", "show", {
  url = "/tickets/:id(int)",
  find = { class = "Ticket", by = "id" },
  build = screen "Ticket",
  intercept = "payment",
})

register("Payment", "return", {
  url = "/payments/:id(int)/:status",
  find = "Home",
  intercept = function(nav)
    local payment = router.find({ class = "Payment", by = "id" }, nav.info)
    if payment then
      router.close(payment, nav.info.status):await()
      router.stay "the payment goes on"
    end
    if nav.info.status ~= "paid" then router.stop "not paid" end
    router.state.paid = nav.info.id
    router.redirect("Ticket", "show", { id = nav.info.id })
  end,
})

router.complete()
