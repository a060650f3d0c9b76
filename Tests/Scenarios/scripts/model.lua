-- The arguments and the effects of a definition's functions.

local function page(name)
  return function(info) return router.screen(name, { id = info.id }) end
end

local function note(text)
  router.state.log = (router.state.log or "") .. text .. " "
end

router.class("A", { fields = { "id" } })
router.class("B", { fields = { "id" } })
router.class("Guarded", { leaving = function() router.stop("unsaved") end })

router.interceptor("see", {
  prepare = function(nav)
    if nav.step == "Parent/show" and nav.info.id == 30 then router.stop("no parent 30") end
  end,
}, function(nav)
  router.sleep(1)
  note("see:" .. nav.step .. ":" .. tostring(nav.info.id) .. ":" .. nav.service .. "/" .. nav.task)
end)

-- A step behind gets its own info.
router.register("Parent", "show", {
  info = { id = "integer" },
  build = page("A"),
  intercept = "see",
})
router.register("Child", "show", {
  info = { id = "integer" },
  build = page("B"),
  intercept = { "see" },
  from = { "Parent", "show" },
  adapt = function(info) return { id = info.id * 10 } end,
})

-- An action that places below the top.
router.action("insertFirst", { needs = "nav" }, function(place, screen, nav)
  nav:setChildren(place, { screen, table.unpack(place.children) })
end)
router.register("First", "show", { build = page("C"), via = "insertFirst" })
router.register("Last", "show", { build = page("D"), from = { "First", "show" } })

-- `prepare` is for what is built.
router.register("Prepared", "show", {
  info = { id = "integer" },
  find = { class = "A", by = "id" },
  prepare = function() router.stop("nothing to build") end,
  build = page("A"),
})
router.register("Recycled", "show", {
  info = { id = "integer" },
  reuse = { by = "id" },
  prepare = function() router.stop("nothing to build") end,
  build = function(info) return router.screen("Recycled", { id = info.id }) end,
})

-- A screen that stays detached.
router.register("Nowhere", "show", {
  build = page("A"),
  via = "none",
  after = function(screen) note("after:" .. screen.class) end,
})

-- New containers, and links.
router.register("Sheet", "show", {
  build = page("B"),
  from = router.newNav {
    class = "sheet",
    find = "sheet",
    via = "present",
    from = "current",
    intercept = function(nav) note("intercept:" .. nav.service) end,
    update = function(screen) screen.updates = (screen.updates or 0) + 1 end,
    after = function(screen) note("after:" .. screen.class) end,
  },
})
router.register("Linked", "show", {
  build = page("B"),
  from = router.link {
    prepare = function(info) if info.id == 0 then router.stop("no parent") end end,
    build = page("A"),
    adapt = function(info) return { id = info.id + 1 } end,
    from = { "Parent", "show" },
  },
})
router.register("Combined", "show", {
  find = { class = "B", search = { "currentAllStack", "presented" }, start = "root" },
  build = page("B"),
})

router.onBack(function(window)
  note("back:" .. window)
  return router.state.handles
end)
