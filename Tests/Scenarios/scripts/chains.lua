-- Chains of parent routes, and the choices of switches in them.
local register, screen = router.register, router.screen
local sheet = router.present { style = "formSheet" }

local function builds(class)
  return function(info) return screen(class, { id = info.id }) end
end

-- c in a new stack over whatever is there.
register("c", "sheet", {
  find = { class = "c", search = "currentAllStack" },
  build = builds "c",
  via = "push",
  from = router.newNav { via = sheet, from = "current" },
  after = function(page, _, nav)
    local classes = {}
    for i, stop in ipairs(nav.stack) do classes[i] = stop.class end
    router.state.stack = classes
  end,
})

-- Everything in one chain: tabs over the root, a stack in a tab, a screen in the stack.
register("c", "deep", {
  build = builds "c",
  from = router.newNav {
    via = "addTab",
    from = router.newTabs { via = "presentWithNav", from = "root" },
  },
})

-- Steps that fail.
register("Fails", "build", {
  build = function() error("no such page") end,
  via = "present",
})
register("Fails", "prepare", {
  prepare = function(info) error("no page " .. info.id) end,
  build = builds "c",
})
register("Fails", "stop", {
  prepare = function(info)
    if not info.id then router.stop("a page has a number") end
  end,
  build = builds "c",
})
register("Fails", "last", {
  build = function() error("the last page is missing") end,
  from = router.link { build = builds "b" },
})
register("Fails", "sheet", {
  build = function() error("the page is missing") end,
  from = router.newNav { via = sheet, from = "current" },
})
register("Fails", "start", { build = builds "c", from = "nobody" })
register("Fails", "find", { find = "nobody" })
register("Fails", "absent", {
  find = "nobody",
  from = router.link { build = builds "b" },
})

-- A step that is found, and is not built again when another needs it.
register("Home", "show", {
  find = { class = "tabs", search = { "current" }, start = "root" },
  build = function()
    return router.tabs { router.nav { screen "Circle" }, screen "Square" }
  end,
  via = "replaceRoot",
  from = "root",
})
register("Circle", "show", { find = "Circle", from = { "Home", "show" } })
register("Square", "show", { find = "Square", from = { "Home", "show" } })
register("Figure", "show", {
  info = { id = "integer?" },
  find = { class = "Figure", by = "id" },
  build = builds "Figure",
  from = { "Circle", "show" },
})
register("Detail", "show", {
  info = { id = "integer" },
  build = builds "Detail",
  from = { "Figure", "show" },
})

-- A chain of links that ends nowhere else.
register("Way", "go", {
  from = router.link {
    build = builds "b",
    via = "push",
    from = router.link {
      build = builds "a",
      via = "push",
      from = router.newNav { via = "present", from = "current" },
    },
  },
})
register("Through", "go", {
  intercept = function() router.state.asked = true end,
  update = function() error("there is no screen to update") end,
  after = function() error("there is no screen to see") end,
  from = "current",
})

-- Links have functions of their own.
register("Links", "show", {
  build = builds "c",
  update = function(page) page.note = "c" end,
  from = router.link {
    find = "b",
    build = builds "b",
    intercept = function() router.state.asked = "b" end,
    update = function(page) page.note = "b" end,
    after = function(page) router.state.seen = page.class end,
    via = "push",
  },
})

-- Login, and what is asked for there.
register("Login", "show", {
  find = "Login",
  build = builds "Login",
  from = router.newNav { via = "present", from = "current" },
})
register("Forgot", "show", {
  find = "Forgot",
  build = builds "Forgot",
  from = { "Login", "show" },
})

-- On the stack of the catalogue, wherever one is.
register("d", "inCatalogue", { build = builds "d", from = { kind = "nav" } })

-- Switches.
local picked = function(name)
  return router.link {
    build = function(info) return screen(name, { id = info.id }) end,
    via = "present",
    from = "current",
  }
end
local stackOver = router.newNav { via = "present", from = "current" }

register("Pick", "first", {
  build = builds "b",
  from = router.switch {
    { from = function() return nil end },
    { when = "a", from = stackOver },
    default = function() error("the default is asked though a case holds") end,
  },
})
register("Pick", "each", {
  info = { id = "integer?" },
  build = builds "Picked",
  via = "present",
  from = router.switch {
    { when = function(info) return info.id == 1 end, from = picked "One" },
    { when = { class = "Marked", by = "id" }, from = picked "Two" },
    { when = "Anchor", from = "Anchor" },
    { from = { class = "Marker", search = "currentAllStack" } },
    { from = function(info) if info.id == 5 then return { "Login", "show" } end end },
    { from = function(info, nav) if info.id == 6 then return router.root(nav.window) end end },
    default = "root",
  },
})
register("Pick", "none", {
  build = builds "Picked",
  from = router.switch { { when = "nobody", from = "current" }, { from = "somebody" } },
})
register("Pick", "nested", {
  build = builds "Picked",
  from = router.switch {
    { when = "nobody", from = "current" },
    default = router.switch { { when = "a", from = stackOver }, default = "root" },
  },
})
register("Pick", "default", {
  build = builds "Picked",
  from = router.switch {
    { when = "nobody", from = "current" },
    default = function() return stackOver end,
  },
})
register("Pick", "raises", {
  build = builds "Picked",
  from = router.switch {
    { when = function() error("the case is broken") end, from = "current" },
    default = "current",
  },
})

-- The info of the parent routes.
register("City", "list", {
  info = { selected = "string?" },
  find = "Cities",
  build = function(info) return screen("Cities", { selected = info.selected }) end,
  update = function(page, info) page.selected = info.selected end,
  from = router.newNav { via = "present", from = "current" },
})
register("City", "detail", {
  info = { id = "integer", note = "string?" },
  build = builds "City",
  adapt = function(info) return { selected = "no " .. info.id } end,
  from = { "City", "list" },
})
register("City", "plain", {
  info = { id = "integer", selected = "string?" },
  build = builds "City",
  from = { "City", "list" },
})
register("City", "wrong", {
  info = { id = "integer" },
  build = builds "City",
  adapt = function(info) return { selected = info.id } end,
  from = { "City", "list" },
})
register("City", "adaptRaises", {
  build = builds "City",
  adapt = function() error("no list for this") end,
  from = { "City", "list" },
})
register("City", "switched", {
  info = { id = "integer" },
  build = builds "City",
  adapt = function(info) return { name = "no " .. info.id } end,
  from = router.switch {
    { when = function(info) return info.id ~= nil end, from = "root" },
    { when = function(info) return info.name == "no 7" end, from = stackOver },
  },
})

-- A route whose step is in the stack already, or that begins at what the caller says.
register("Next", "show", { build = builds "Next", from = "root" })

router.export("goFrom", function(call)
  local place = router.find(call.place)
  router.navigate("Next", "show", {}, { from = place })
end)
