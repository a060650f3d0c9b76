-- Containers: those that a script declares, and whole trees of routes.
local register, screen = router.register, router.screen

router.class("box", { kind = "container", max = 1 })
router.class("deck", { kind = "container", shows = "last" })
router.class("grid", { kind = "container", shows = "all", max = 3 })
router.class("pages", { kind = "container", shows = "selected" })
router.class("exnav", { kind = "nav" })

local function note(class)
  local log = router.state.log or {}
  local new = {}
  for i, word in ipairs(log) do new[i] = word end
  new[#new + 1] = class
  router.state.log = new
end

-- Routes that stand in trees, each with functions of its own.
local function leaf(class, more)
  local definition = {
    build = function(info) return screen(class, { id = info.id }) end,
    update = function(page) note("update " .. page.class) end,
    after = function(page) note("after " .. page.class) end,
  }
  for key, value in pairs(more or {}) do definition[key] = value end
  register(class, "show", definition)
end
leaf("Feed")
leaf("Search", { info = { id = "integer?" } })
leaf("Refusing", { prepare = function() error("nothing is let in today") end })
leaf("Mail", { prepare = function() note("prepare Mail") end })
leaf("Marked", { intercept = function() error("a leaf of a tree is not asked") end })

register("Found", "show", { find = "Found", from = "current" })

-- Trees of routes.
register("Main", "show", {
  build = router.tabs {
    router.nav { { "Feed", "show" }, { "Mail", "show" } },
    { "Search", "show", adapt = function(info) return { id = info.start } end },
    selected = 2,
  },
  update = function(page) note("update " .. page.class) end,
  after = function(page) note("after " .. page.class) end,
  via = "replaceRoot",
})
register("Main", "pushed", {
  build = router.nav { { "Feed", "show" } },
  via = "present",
})
register("Main", "mixed", {
  build = router.tabs {
    router.nav { screen("Fixed", { n = 1 }) },
    { "Feed", "show" },
    router.nav { class = "exnav", { "Search", "show" } },
  },
  via = "replaceRoot",
})
register("Main", "byFunction", {
  info = { first = "string" },
  build = function(info) return router.tabs { { info.first, "show" }, { "Feed", "show" } } end,
  via = "replaceRoot",
})
register("Main", "firstTab", {
  build = router.tabs {
    { "Feed", "show" },
    { "Search", "show", via = router.addTab { at = 1 } },
    selected = 1,
  },
  via = "replaceRoot",
})
register("Main", "split", {
  build = router.split { { "Feed", "show" }, { "Search", "show" } },
  via = "replaceRoot",
})
register("Main", "detailFirst", {
  build = router.split { { "Feed", "show", via = "pushToDetails" } },
  via = "replaceRoot",
})
register("Main", "refusing", {
  build = router.tabs { { "Feed", "show" }, { "Refusing", "show" } },
  via = "replaceRoot",
})
register("Main", "asked", {
  build = router.tabs { { "Marked", "show" } },
  via = "replaceRoot",
})
register("Main", "nested", {
  build = router.nav { { "Main", "pushed" } },
  via = "replaceRoot",
})

-- New containers, step by step.
local over = { via = "present", from = "current" }
local function page(class, via, from)
  return router.link { build = function() return screen(class) end, via = via, from = from }
end
local function to(task, class, via, from)
  register("Steps", task, { build = function() return screen(class) end, via = via, from = from })
end
to("tabs", "second", "addTab", page("first", "addTab", router.newTabs(over)))
to("split", "detail", "pushToDetails", page("primary", "setAsPrimary", router.newSplit(over)))
to("stacks", "page", "push", router.newNav {
  via = "pushOnToDetails",
  from = page("primary", "setAsPrimary", router.newSplit(over)),
})
to("exnav", "page", "push", router.newNav { class = "exnav", via = "present", from = "current" })
to("noPrimary", "detail", "pushToDetails", router.newSplit(over))

-- A template without routes: a copy each time.
register("Copy", "show", {
  build = router.nav { screen("Page", { n = 1 }), screen("Top") },
  via = "present",
})

-- A box whose one child is replaced, or a new box in a new stack.
local function inBox(task, class)
  register("Box", task, {
    info = { id = "integer?" },
    find = { class = class, by = "id" },
    build = function(info) return screen(class, { id = info.id }) end,
    via = "replaceLast",
    from = router.link {
      find = "box",
      build = function() return router.container("box") end,
      via = "push",
      from = router.newNav { via = "present", from = "current" },
    },
  })
end
inBox("images", "Images")
inBox("details", "Details")

register("Deck", "put", {
  build = function() return screen("n") end,
  via = "replaceLast",
})

register("Show", "go", {
  info = { class = "string" },
  find = function(page, info) return page.class == info.class end,
})

-- A tab of new tabs, by what is asked for.
register("Mall", "show", {
  info = { part = { "home", "settings" } },
  build = function(info)
    return router.tabs {
      router.nav { screen "MallHome" },
      router.nav { screen "MallSettings" },
      selected = info.part == "home" and 1 or 2,
    }
  end,
})

router.start { "Search", "show" }
