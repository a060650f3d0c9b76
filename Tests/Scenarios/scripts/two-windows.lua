-- Screens of the same classes in two windows.
router.class("E", { kind = "leaf", fields = { "x" } })
router.export("popTo", function(info) router.popTo(info.class) end)
router.register("X", "go", {
  url = "/x",
  build = function() return router.screen "X" end,
})
