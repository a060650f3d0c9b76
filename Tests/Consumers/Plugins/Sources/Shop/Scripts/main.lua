-- A shop whose payments and session are the app's.
router.expects {
  tasks = {
    "Analytics/send",
    ["Wallet/pay"] = { info = { cents = "integer", note = "string?" }, result = { "paid", "later" } },
  },
  dependencies = { "session" },
  screens = { "Home", "Product", "Receipt" },
}

router.class("Product", { fields = { id = "integer", title = "string?" } })
router.class("Receipt", { fields = { text = "string" } })

router.start(function() return router.nav { router.screen "Home" } end)

require "products"
