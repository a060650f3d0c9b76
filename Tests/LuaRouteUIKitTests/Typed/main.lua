-- The scripts of the article "Typed routes": what they expect of the app.
router.expects {
  tasks = { "Analytics/send", ["Wallet/pay"] = { info = { cents = "integer" }, result = { "paid", "later" } } },
  dependencies = { "session" },
  screens = { "Home", "Product", "SizePicker" },
}
router.class("Product", { fields = { id = "integer" } })
router.start(function() return router.nav { router.screen "Home" } end)
router.register("Product", "show", {
  info = { id = "integer" }, build = router.screen "Product", via = "push",
})
router.register("SizePicker", "show", {
  result = { "S", "M", "L" }, build = router.screen "SizePicker", via = "present",
})
router.export("pay", function(info)
  local _, payment = router.doTask("Wallet", "pay", info)
  return select(2, payment:await())
end)
