router.register("Book", "open", {
  url = { "/books/:book", "/é/:book/{page}" },
  build = function() end,
})
