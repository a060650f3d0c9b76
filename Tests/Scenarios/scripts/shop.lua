-- A shop: its host signs people in and pays, its scripts do all else.
local register, registerTask, screen = router.register, router.registerTask, router.screen

router.expects {
  tasks = { "Auth/login", "Pay/card", "Analytics/seen" },
}
router.class("Product", { fields = { "id" } })

register("Product", "show", {
  info = { id = "integer" },
  reuse = { by = "id" },
  build = function() return screen("Product") end,
  update = function(page) page.title = "no " .. page.id end,
  after = function(page) router.doTask("Analytics", "seen", { id = page.id }) end,
})

register("Cart", "show", function()
  router.log.warn("the cart is a draft")
  return screen("Cart")
end)

register("Login", "show", {
  build = function() return screen("Login") end,
  via = "presentWithNav",
})

register("Mine", "show", function()
  return screen(router.state.user.class)
end)

local kept
register("Kept", "show", function()
  kept = kept or screen("Kept")
  return kept
end)

register("Twice", "show", function()
  local one = screen("One")
  return router.nav { one, one }
end)

register("Nothing", "show", function() return nil end)

registerTask("Account", "load", function(info, done)
  router.doTask("Auth", "login", { user = info.user }, function(finished, answer)
    done(finished, answer)
  end)
end)

registerTask("Account", "name", function(info) return "ann" .. (info.suffix or "") end)

registerTask("Account", "twice", function(_, done)
  done(true, 1)
  done(true, 2)
end)

registerTask("Account", "never", function() end)

registerTask("Account", "start", function()
  router.doTask("Account", "never")
  return true
end)

registerTask("Account", "loop", function()
  while true do end
end)

router.export("total", function(cart)
  if not cart.items then error("no items") end
  return { sum = #cart.items * (router.state.price or 1) }
end)

router.start(function() return router.nav { screen("Home") } end)
