local page = require "pages"

page("Seats", { "Cart/show" })
page("Cart", { "Payment/show" })
page("Payment", { "Terms/show", "Receipt/show" })

router.register("Terms", "show", {
  info = {},
  build = router.screen "Terms",
  via = router.present { modal = true },
})

router.register("Receipt", "show", {
  info = {},
  build = router.screen "Receipt",
  via = "replaceRoot",
  from = "root",
})
