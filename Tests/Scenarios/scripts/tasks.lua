-- The functions for a screen: its fields are set, 'update' runs, and 'after' when it is shown.
local register, screen = router.register, router.screen

router.class("Product", { fields = { "id", "title" } })

local function words(nav)
  local classes = {}
  for i, stop in ipairs(nav.stack) do classes[i] = stop.class end
  return classes
end

local function note(word)
  local log = {}
  for i, old in ipairs(router.state.log or {}) do log[i] = old end
  log[#log + 1] = word
  router.state.log = log
end

router.updateAll(function(page) note("all update " .. page.class) end)
router.afterAll(function(page) note("all after " .. page.class) end)

local function step(class, more)
  local definition = {
    find = class,
    build = function() return screen(class) end,
    update = function(page) note("update " .. page.class) end,
    after = function(page, _, nav)
      note("after " .. page.class)
      router.state.stack = words(nav)
    end,
  }
  for key, value in pairs(more) do definition[key] = value end
  return definition
end

-- a ⇒ a ^ nav[b, c]
register("Way", "c", step("c", {
  from = router.link(step("b", {
    from = router.link(step("nav", {
      find = "never",
      build = function() return router.nav {} end,
      via = "present",
      from = router.link(step("a", {})),
    })),
  })),
}))

-- Fields that are declared are set before 'update', of what is found and of what is built.
register("Product", "show", {
  info = { id = "integer", title = "string?", note = "string?", back = "function?" },
  find = { class = "Product", by = "id" },
  build = function() return screen("Product", { price = 3 }) end,
  update = function(page, info)
    router.state.seen = { id = page.id, title = page.title or "none" }
    if info.note then page.note = info.note end
  end,
})
register("Product", "undeclared", {
  find = "Product",
  build = function() return screen "Product" end,
})
register("Product", "checked", {
  info = { id = function(id)
    if math.type(id) ~= "integer" or id < 1 or id > 15 then
      error("city id " .. tostring(id) .. " is invalid")
    end
    return id
  end },
  find = "Product",
  build = function() return screen "Product" end,
})

-- Functions that fail.
register("Fails", "update", {
  build = function() return screen "Page" end,
  update = function(page)
    page.title = "half done"
    error("the page cannot be filled")
  end,
})
register("Fails", "found", {
  find = "a",
  update = function(page)
    page.title = "half done"
    error("the page cannot be filled")
  end,
})
register("Fails", "state", {
  build = function() return screen "Page" end,
  update = function()
    router.state.user = "ann"
    router.root().title = "half done"
    error("nobody can be welcomed")
  end,
})
register("Fails", "after", {
  build = function() return screen "Page" end,
  after = function(page)
    page.title = "seen"
    error("this was not for " .. page.class)
  end,
})
register("Fails", "bothAfter", {
  build = function() return screen "Page" end,
  after = function() note("the second ran") end,
  from = router.link {
    build = function() return screen "Below" end,
    after = function() error("the first failed") end,
  },
})

-- Their arguments and effects.
register("Sees", "stage", {
  build = function() return screen "Page" end,
  update = function(page, info, nav)
    router.state.update = {
      alive = page.isAlive, found = nav.found.class, stack = words(nav), id = info.id,
      top = router.visible().class,
    }
  end,
  after = function(page, info, nav)
    router.state.after = {
      alive = page.isAlive, visible = page.isVisible, found = nav.found.class,
      stack = words(nav), id = info.id, status = nav.status,
    }
  end,
})
register("Goes", "on", {
  build = function() return screen "Page" end,
  after = function() router.navigate("Product", "show", { id = 7 }) end,
})
register("Goes", "onFromUpdate", {
  build = function() return screen "Page" end,
  update = function() router.navigate("Product", "show", { id = 8 }) end,
})
register("Goes", "nowhere", {
  build = function() return screen "Page" end,
  update = function()
    router.navigate("Product", "show", { id = 9 })
    error("the page cannot be filled")
  end,
})
register("Goes", "away", {
  build = function() return screen "Page" end,
  after = function() note("still there") end,
  from = router.link {
    build = function() return screen "Below" end,
    after = function(page) router.close(page) end,
  },
})
