-- Routes with mistakes, each of another kind.
local register, screen = router.register, router.screen

local function builds(class)
  return function() return screen(class) end
end

-- Scripts with these mistakes do not load, so the routes are registered later.
router.export("misregister", function()
  -- Cycles of parent routes.
  register("Hen", "show", { build = builds "Hen", from = { "Egg", "show" } })
  register("Egg", "show", { build = builds "Egg", from = { "Hen", "show" } })
  register("Self", "show", { build = builds "Self", from = { "Self", "show" } })
  register("Grows", "show", {
    build = builds "Grows",
    adapt = function(info) return { n = (info.n or 0) + 1 } end,
    from = { "Grows", "show" },
  })
  register("Switching", "show", {
    build = builds "Page",
    from = router.switch { { when = "Home", from = { "Switching", "show" } } },
  })

  -- Names that lead to nothing, and trees that cannot be built.
  register("Start", "unknown", { build = builds "Page", from = { "Home", "shwo" } })
  register("Start", "task", { build = builds "Page", from = { "Work", "do" } })
  register("Tree", "self", { build = router.nav { { "Tree", "self" } }, via = "present" })
  register("Tree", "egg", { build = router.nav { { "Tree", "hen" } }, via = "present" })
  register("Tree", "unknown", { build = router.nav { { "Hoem", "show" } }, via = "present" })
  register("Tree", "task", { build = router.nav { { "Work", "do" } }, via = "present" })
  register("Tree", "finds", { build = router.nav { { "Start", "onlyFind" } }, via = "present" })
end)

-- Steps that nothing can reach.
register("Start", "missing", { build = builds "Page", from = "Nowhere" })
register("Start", "missingFinder", {
  build = builds "Page",
  from = { class = "Product", by = "id", search = "currentAndUp" },
})
register("Start", "onlyFind", { find = { class = "Product", by = "id" } })
register("Start", "noCase", {
  build = builds "Page",
  from = router.switch {
    { when = "Nowhere", from = "current" },
    { when = function(info) return info.id == 7 end, from = "root" },
  },
})
register("Start", "absent", {
  find = "Detail",
  from = router.link { build = builds "List" },
})
router.registerTask("Work", "do", function() return true end)
register("Home", "show", builds "Home")

-- Functions that raise.
register("Raises", "find", { find = function(page) return page.user.name == "ann" end, from = "root" })
register("Raises", "match", {
  find = { class = "Home", match = function() error("this finder is broken") end },
  from = "root",
})
register("Raises", "start", {
  find = { class = "Home", start = function() return "the tabs" end },
  from = "root",
})
register("Raises", "build", function(info) return screen("Page", { title = info.title .. "!" }) end)
register("Raises", "link", {
  build = builds "Page",
  from = router.link { build = function() error("there is no list") end },
})
register("Raises", "update", {
  build = builds "Page",
  update = function(page) page.title = nil .. "" end,
})
register("Raises", "interceptor", { build = builds "Page", intercept = "broken" })
router.interceptor("broken", function(nav) return nav.info.user.name == "ann" end)
register("Raises", "table", {
  build = builds "Page",
  intercept = function() error { code = 7 } end,
})

-- Results of functions.
register("Gives", "number", function() return 7 end)
register("Gives", "class", { build = function() return "Page" end, from = "root" })
register("Gives", "adapt", {
  build = builds "Page",
  adapt = function() return "the id" end,
  from = { "Home", "show" },
})
register("Gives", "adaptNothing", {
  build = builds "Page",
  adapt = function() end,
  from = { "Home", "show" },
})
register("Gives", "case", {
  build = builds "Page",
  from = router.switch { { from = function() return 7 end } },
})
register("Gives", "caseTarget", {
  build = builds "Page",
  from = router.switch { { from = function() return { "Home" } end } },
})
register("Gives", "default", {
  build = builds "Page",
  from = router.switch { { when = "Nowhere", from = "root" }, default = function() return true end },
})
register("Gives", "interceptor", { build = builds "Page", intercept = function() return "yes" end })

-- Effects while a navigation is planned.
local function planned(name, effect)
  register("Find", name, { find = function() effect() end, build = builds "Page" })
  register("When", name, {
    build = builds "Page",
    from = router.switch { { when = function() effect() end, from = "root" }, default = "root" },
  })
  register("Adapt", name, {
    build = builds "Page",
    adapt = function(info)
      effect()
      return info
    end,
    from = { "Home", "show" },
  })
  register("Check", name, {
    info = { id = function(id)
      effect()
      return id
    end },
    build = builds "Page",
  })
  register("Start", name, {
    find = { start = function() effect() end },
    build = builds "Page",
  })
  register("Leaf", name, {
    build = router.nav { { "Home", "show", adapt = function(info)
      effect()
      return info
    end } },
    via = "present",
  })
  register("Prepare", name, { prepare = function() effect() end, build = builds "Page" })
end
planned("field", function() router.root().title = "new" end)
planned("state", function() router.state.user = "ann" end)
planned("navigate", function() router.navigate("Home", "show") end)
planned("doTask", function() router.doTask("Work", "do") end)
planned("back", function() router.back() end)
planned("close", function() router.close(router.visible()) end)
planned("stop", function() router.stop("no") end)
planned("redirect", function() router.redirect("Home", "show") end)
router.class("Locked", { dismissible = function(page) page.asked = true return true end })
router.class("Asking", { dismissible = function() return router.doTask("Work", "do") end })
router.class("Stopping", { dismissible = function() router.stop("no") end })
register("Dismisses", "go", { build = builds "Page", via = "pushAsRoot" })

-- Where nothing can be stopped.
register("Stops", "build", function() router.stop("no") end)
register("Stops", "update", { build = builds "Page", update = function() router.stay("no") end })
register("Stops", "after", {
  build = builds "Page",
  after = function() router.redirect("Home", "show") end,
})
router.export("stop", function() router.stop("no") end)

-- Actions at the wrong place.
register("Wrong", "tab", { build = builds "Page", via = "addTab" })
register("Wrong", "detail", { build = builds "Page", via = "pushToDetails" })
register("Wrong", "root", { build = builds "Page", via = "replaceRoot", from = "Home" })
register("Wrong", "pushFromTab", { build = builds "Page", via = "push", from = { kind = "tabs" } })
register("Wrong", "again", {
  build = builds "Page",
  via = router.present { start = { kind = "nav" } },
  from = "current",
})
register("Wrong", "startGone", {
  build = builds "Page",
  via = router.present { start = "Nowhere" },
})
register("Wrong", "inTree", { build = function() return router.find("Home") end, via = "present" })
register("Wrong", "declared", { build = builds "Page", via = "shuffle" })
router.action("shuffle", { needs = "nav" }, function(place, page, nav)
  nav:act("addTab", place, page)
end)
register("Wrong", "forgets", { build = builds "Page", via = "forgets" })
router.action("forgets", { needs = "nav" }, function(place, page, nav)
  nav.setChildren(place, { page })
end)
local kept
register("Wrong", "later", { build = builds "Page", via = "keeps" })
router.action("keeps", { needs = "nav" }, function(place, page, nav)
  kept = { nav, place, page }
  nav:act("push", place, page)
end)
router.export("later", function() kept[1]:act("push", kept[2], kept[3]) end)

-- Trees.
register("Tree", "hen", { build = function() return router.nav { { "Tree", "egg" } } end })
register("Tree", "action", {
  build = router.nav { { "Home", "show", via = router.addTab { at = 1 } } },
  via = "present",
})
register("Tree", "details", {
  build = router.split { { "Home", "show", via = "pushToDetails" } },
  via = "present",
})
register("Tree", "info", { build = router.nav { { "Typed", "show" } }, via = "present" })
register("Typed", "show", { info = { id = "integer" }, build = builds "Typed" })
router.class("box", { kind = "container", max = 1 })
register("Tree", "full", {
  build = router.container("box", { { "Home", "show" }, { "Home", "show" } }),
  via = "present",
})

-- Interceptors without end.
register("Plans", "endless", {
  build = builds "Page",
  from = router.switch { { from = function()
    local n = router.state.n or 0
    return router.link {
      build = builds "Step",
      from = "current",
      intercept = function() router.state.n = n + 1 end,
    }
  end } },
})
register("Ping", "show", { from = "root", intercept = function() router.redirect("Pong", "show") end })
register("Pong", "show", { from = "root", intercept = function() router.redirect("Ping", "show") end })
register("Count", "down", {
  info = { n = "integer" },
  from = "root",
  intercept = function(nav) router.redirect("Count", "down", { n = nav.info.n - 1 }) end,
})
register("Behind", "typed", { build = builds "Page", from = { "Typed", "show" } })
register("Behind", "adapted", {
  build = builds "Page",
  adapt = function(info) return { id = tostring(info.id) } end,
  from = { "Typed", "show" },
})
