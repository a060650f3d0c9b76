--
-- orders.lua: an order is shown to a person who is logged in. Others log in
-- first, and come to the order then.
--
local class, dismiss, doTask, navigate, register, registerTask, screen =
  router.class, router.dismiss, router.doTask, router.navigate, router.register,
  router.registerTask, router.screen

class("OrderPage", { fields = { "order", "price", order = "string", price = "number" } })

register("Order", "show", {
  info = { order = "string", price = "number" },
  reuse = { by = "order" },
  build = function() return screen("OrderPage") end,
})

registerTask("Order", "open", function(info)
  local function show()
    navigate("Order", "show", { order = info.order, price = info.price })
  end
  if router.state.user then
    show()
    return "shown"
  end
  local login = doTask("Login", "create", {}, function(finished, user)
    if assert(router.visible()).class == "LoginPage" then dismiss() end
    if finished then
      router.state.user = user.name
      show()
    end
  end)
  navigate("Login", "show", { screen = login.screen })
  return "asked"
end, {
  info = { order = "string", price = "number" },
  result = { "shown", "asked" },
})
