router.register("Product", "show", {
  info = { id = "integer" },
  find = { class = "Product", by = "id" },
  build = router.screen "Product",
  via = "push",
})

router.register("Receipt", "show", {
  info = { cents = "integer" },
  needs = "session",
  intercept = function(nav)
    local _, payment = router.doTask("Wallet", "pay", { cents = nav.info.cents })
    local finished, result = payment:await()
    if not finished then router.stop(result) end
  end,
  build = function(info, nav)
    return router.screen("Receipt", { text = "paid by " .. nav.deps.session })
  end,
  via = "push",
})
