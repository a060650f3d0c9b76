router.register("Book", "open", { url = "/books/:book", build = function() end })
router.open("/books/7")
