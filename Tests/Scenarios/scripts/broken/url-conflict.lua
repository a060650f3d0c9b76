router.register("Book", "open", { url = "/books/:book", build = function() end })

router.register("Shelf", "open", { url = "/books/:shelf", build = function() end })
