router.register("Book", "open", { url = 7, build = function() end })
