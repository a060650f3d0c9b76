router.register("Book", "open", { url = "/books/:book(int)", build = function() end })
router.alias("/b/:book(slug)", "/books/:book(int)")
