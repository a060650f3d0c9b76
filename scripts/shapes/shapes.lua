--
-- shapes.lua: the home of the app, which is tabs, and the shapes in it.
--
local link, nav, register, screen, switch, tabs =
  router.link, router.nav, router.register, router.screen, router.switch,
  router.tabs

-- Other tabs may stand elsewhere: only those at the root are the home.
register("Home", "show", {
  find = { class = "tabs", start = "root", search = "current" },
  build = tabs { nav { screen "Circle" }, screen "Square" },
  via = "replaceRoot",
  from = "root",
})

-- Nothing builds these two: they are there as soon as the home is.
register("Circle", "show", { find = "Circle", from = { "Home", "show" } })
register("Square", "show", { find = "Square", from = { "Home", "show" } })

register("Figures", "show", {
  find = "Figures",
  build = screen "Figures",
  via = "push",
  from = { "Circle", "show" },
  intercept = "login",
})

-- The star has a tab of its own, or is pushed on the circle, depending on
-- `state.starOnCircle`. Each navigation reads it; an existing star stays.
register("Star", "show", {
  find = { class = "Star", search = "currentAllStack" },
  from = switch {
    {
      when = function() return router.state.starOnCircle end,
      from = link {
        build = screen "Star",
        via = "push",
        from = { "Circle", "show" },
      },
    },
    default = link {
      build = screen "Star",
      via = "addTab",
      from = { "Home", "show" },
    },
  },
  intercept = "login",
})
