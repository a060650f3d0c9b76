--
-- orders.lua: the orders of a user. An invoice is pushed on its order, so it
-- waits at the order's gates too.
--
local class, export, register, screen =
  router.class, router.export, router.register, router.screen

class("Order", { fields = { "id" } })
class("Invoice", { fields = { "id" } })
class("Payment", { fields = { "id" } })

register("Order", "show", {
  info = { id = "integer" },
  url = "/orders/:id(int)",
  ready = "session",
  find = { class = "Order", by = "id" },
  build = function() return screen "Order" end,
})

register("Invoice", "show", {
  info = { id = "integer" },
  url = "/orders/:id(int)/invoice",
  build = function() return screen "Invoice" end,
  from = { "Order", "show" },
})

-- To pay, somebody has to be logged in, and the shop has to be open.
register("Payment", "show", {
  info = { id = "integer" },
  ready = { "session", "cashier" },
  build = function() return screen "Payment" end,
  via = "present",
})

export("openCashier", function() router.ready "cashier" end)
