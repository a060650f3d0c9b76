router.register("Book", "open", { url = "/books/:book", build = function() end })
router.alias("/b/:id", "/books/:book")
