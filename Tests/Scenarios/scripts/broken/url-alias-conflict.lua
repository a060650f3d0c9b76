router.register("Book", "open", { url = "/books/:book", build = function() end })
router.register("Old", "open", { url = "/b/:id", build = function() end })
router.alias("/b/:book", "/books/:book")
