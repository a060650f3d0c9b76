-- Registers a page, and names the routes of its own buttons.
return function(class, offers, intercept)
  router.class(class, { offers = offers })
  router.register(class, "show", {
    info = {},
    intercept = intercept,
    reuse = "class",
    build = router.screen(class),
  })
end
