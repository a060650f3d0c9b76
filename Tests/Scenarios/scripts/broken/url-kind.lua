router.kind("isbn", function(text) return text end)
router.register("Book", "open", { url = "/books/:book(isnb)", build = function() end })
