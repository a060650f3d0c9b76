-- Dependencies: who makes them, who shares them, and what goes wrong.
local dependency, expects, export, provide, register, screen, start =
  router.dependency, router.expects, router.export, router.provide, router.register,
  router.screen, router.start

local made = {}

-- A value with functions and a metatable, which says how often it was made.
local Counter = {}
Counter.__index = Counter
function Counter:next()
  self.count = self.count + 1
  return self.count
end

local function count(name)
  made[name] = (made[name] or 0) + 1
  return made[name]
end

expects { dependencies = { "analytics" } }

provide("counter", function()
  return setmetatable({ count = 0, number = count("counter") }, Counter)
end)
provide("flags", function() return { on = dependency("counter").number > 0 } end)
provide("noted", function()
  router.state.noted = (router.state.noted or 0) + 1
  return { number = router.state.noted }
end)
provide("text", function() return "text", "second" end)
provide("no", function() return false end)
provide("nothing", function() end)
provide("broken", function() error("no connection") end)
provide("busy", function() router.navigate("Plain", "show") return 1 end)
provide("a", function() return dependency("b") end)
provide("b", function() return dependency("c") end)
provide("c", function() return dependency("a") end)

register("Plain", "show", function() return screen("Plain") end)

local function page(name, needs, more)
  local definition = more or {}
  definition.needs = needs
  definition.build = definition.build
    or function(_, nav)
      local counter = nav.deps.counter
      return screen(name, {
        made = counter and counter.number,
        count = counter and counter:next(),
      })
    end
  register(name, "show", definition)
end

page("One", { "counter" })
page("Two", "counter")
page("Many", { "counter", "counter", "text", "no" }, {
  build = function(_, nav)
    return screen("Many", { text = nav.deps.text, no = nav.deps.no })
  end,
})
page("Noted", { "noted" })
page("Flagged", { "flags" }, {
  build = function(_, nav) return screen("Flagged", { on = nav.deps.flags.on }) end,
})
page("Host", { "analytics" }, {
  build = function(_, nav)
    return screen("Host", { same = nav.deps.analytics == dependency("analytics") })
  end,
})
page("Nothing", { "nothing" })
page("Broken", { "counter", "broken" })
page("Busy", { "busy" })
page("Circle", { "a" })
page("Unknown", { "countr" })
page("Missing", { "database" })
-- Its missing dependency is reported although the route is disabled.
page("Off", { "database" }, { enabled = function() return false end, fallback = { "One", "show" } })

-- A step behind, and the leaf of a tree, that lack something.
register("Above", "show", {
  from = { "Missing", "show" },
  build = function() return screen("Above") end,
})
register("Tabs", "show", {
  build = router.tabs { router.nav { { "One", "show" } }, { "Missing", "show" } },
  via = "replaceRoot",
})
register("Shelf", "show", {
  build = router.tabs { router.nav { { "One", "show" } }, { "Two", "show" } },
  via = "present",
})

-- Asked for by name, on the way and elsewhere.
register("Asks", "show", function()
  return screen("Asks", { made = dependency("counter").number })
end)
register("Dropped", "show", function()
  screen("Asks", { made = dependency("counter").number })
  error("no")
end)
export("ask", function() return dependency("counter").number end)
export("askFor", function(arguments) return dependency(arguments.name) end)
export("replace", function()
  provide("counter", function()
    return setmetatable({ count = 100, number = -1 }, Counter)
  end, { override = true })
end)
export("provideAgain", function()
  local ok, why = pcall(provide, "counter", function() return 1 end)
  return { ok = ok, why = why }
end)

-- The dependencies that the functions of a step read, only those of their own step.
register("Behind", "show", {
  needs = "text",
  build = function(_, nav)
    return screen("Behind", { counter = nav.deps.counter ~= nil, text = nav.deps.text })
  end,
})
register("Sees", "show", {
  needs = "counter",
  from = { "Behind", "show" },
  prepare = function(_, nav) assert(nav.deps.counter, "prepare") end,
  adapt = function(info, nav) assert(nav.deps.counter, "adapt") return info end,
  intercept = function(nav) assert(nav.deps.counter and nav.deps.text, "intercept") end,
  build = function(_, nav)
    assert(nav.deps.counter and not nav.deps.text, "build")
    return screen("Sees")
  end,
  update = function(_, _, nav) assert(nav.deps.counter and not nav.deps.text, "update") end,
  after = function(_, _, nav)
    router.sleep(1)
    router.state.after = nav.deps.counter.number
  end,
  closed = function(_, _, nav) router.state.closed = nav.deps.counter.number end,
})
export("writes", function()
  router.register("Writes", "show", {
    needs = "counter",
    build = function(_, nav) nav.deps.counter = 1 return screen("Writes") end,
  })
end)

start(function()
  if router.state.asks then dependency("counter") end
  return router.nav { screen("Main") }
end)
