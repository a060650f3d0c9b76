--
-- wishes.lua: the list of wishes, in a sheet over whatever is open.
--
local newNav, present, register, screen =
  router.newNav, router.present, router.register, router.screen

register("Wish", "show", {
  find = "Wish",
  build = screen "Wish",
  via = "push",
  from = newNav { via = present { style = "formSheet" }, from = "current" },
  intercept = "login",
})
