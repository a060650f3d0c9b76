router.register("Book", "open", { url = "/books/:book", build = function() end })
router.alias("/b/:book", "/bocks/:book")
