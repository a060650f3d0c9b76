-- Interceptors that answer at once.
local register, screen = router.register, router.screen

local function note(word)
  local words = {}
  for i, old in ipairs(router.state.log or {}) do words[i] = old end
  words[#words + 1] = word
  router.state.log = words
end

-- An interceptor that lets pass, and says that it was asked by the log: a change of the state
-- would have the way planned again.
local function asks(name)
  router.interceptor(name, {
    prepare = function() router.log.debug("prepare " .. name) end,
  }, function()
    router.log.debug("ask " .. name)
  end)
end
for _, name in ipairs { "first", "wide", "wider", "C1", "C2", "B", "N", "A", "beyond" } do
  asks(name)
end
router.interceptAll("wide", { only = { "Chain", "Found" } })
router.interceptAll("wider", { only = { "Chain" } })
router.interceptAll("first", { before = "search", only = { "Chain", "Lost" } })

router.updateAll(function(page, _, nav)
  if nav.service == "Chain" then router.log.info("updateAll " .. page.class) end
end)
router.afterAll(function(page, _, nav)
  if nav.service == "Chain" then router.log.info("afterAll " .. page.class) end
end)

-- a ⇒ a ^ nav[b, c]: each step with interceptors and tasks of its own.
local function task(page) router.log.info("update " .. page.class) end
local function post(page, _, nav)
  router.log.info("after " .. page.class .. " of " .. #nav.stack)
end

register("Chain", "c", {
  find = "c",
  build = function() return screen "c" end,
  intercept = { "C1", "C2" },
  update = task,
  after = post,
  from = router.link {
    build = function() return screen "b" end,
    intercept = "B",
    update = task,
    after = post,
    from = router.link {
      build = function() return router.nav {} end,
      via = "present",
      intercept = "N",
      update = task,
      after = post,
      from = router.link {
        find = "a",
        build = function() return screen "a" end,
        intercept = { "A", "A" },
        update = task,
        after = post,
        from = router.link { find = "root", intercept = "beyond" },
      },
    },
  },
})

-- A step that has an interceptor which another has as well.
register("Chain", "twice", {
  build = function() return screen "d" end,
  intercept = { "A", "C1" },
  from = { "Chain", "c" },
})

-- The possible answers of an interceptor.
local function answers(name, body)
  register("Answer", name, {
    build = function() return screen "Page" end,
    intercept = body,
  })
end
answers("nothing", function() end)
answers("yes", function() return true end)
answers("no", function() return false, "not today" end)
answers("noReason", function() return false end)
answers("stop", function() router.stop("nobody is let in") end)
answers("stopCaught", function()
  pcall(function() router.stop("this cannot be caught") end)
  note("the code after it does not run")
end)
answers("stay", function() router.stay("you are there already") end)
answers("raise", function() error("the gate is broken") end)
answers("word", function() return "yes" end)
answers("number", function() return 1 end)
answers("proceed", function(_, proceed) proceed(true) end)
answers("refuse", function(_, proceed) proceed(false, "come back later") end)
answers("proceedTwice", function(_, proceed)
  proceed(true)
  proceed(false, "too late")
end)
answers("reason", function() return nil, "not today" end)
answers("reasonLater", function()
  router.sleep(1)
  return nil, "not today"
end)
answers("reasonBeside", function(_, proceed) return nil, proceed and "not today" end)
answers("result", function() return true, "not today" end)
answers("redirect", function() router.redirect("Answer", "yes", { id = 1 }) end)
answers("redirectNowhere", function() router.redirect("Nobody", "show") end)
answers("firstNo", {
  function() return false, "the first says no" end,
  function() error("the second is asked though the first said no") end,
})

register("Answer", "prepareReason", {
  build = function() return screen "Page" end,
  prepare = function() return nil, "not today" end,
})
router.class("Draft", { leaving = function() return nil, "not today" end })

-- Redirects.
register("Old", "show", {
  build = function() return screen "Old" end,
  intercept = function(nav) router.redirect("New", "show", { id = nav.info.id }) end,
})
register("New", "show", {
  info = { id = "integer?" },
  build = function(info) return screen("New", { id = info.id }) end,
  intercept = "C1",
})
register("Ping", "show", { from = "current", intercept = function() router.redirect("Pong", "show") end })
register("Pong", "show", { from = "current", intercept = function() router.redirect("Ping", "show") end })
register("Count", "down", {
  info = { n = "integer" },
  from = "current",
  intercept = function(nav)
    if nav.info.n > 0 then router.redirect("Count", "down", { n = nav.info.n - 1 }) end
  end,
})
register("Same", "show", {
  build = function() return screen "Same" end,
  intercept = { "C1", function(nav)
    if not router.state.redirected then
      router.state.redirected = true
      router.redirect("Same", "show", { again = true })
    end
  end },
})

-- A refusal, and what was found.
register("Found", "deny", {
  find = "a",
  update = function(page) page.touched = true end,
  intercept = function() return false, "denied" end,
})
register("Found", "show", {
  find = "a",
  update = function(page) page.touched = true end,
})

-- Interceptors that change what the way was planned on.
router.interceptor("swapRoot", function()
  if router.root().class ~= "x" then
    router.navigate("Root", "swap")
  end
end)
register("Root", "swap", {
  build = function() return router.nav { screen "Fresh" } end,
  via = "replaceRoot",
})
register("Lost", "show", { find = "nobody" })
register("Swapped", "early", {
  build = function() return screen "Page" end,
  via = "replaceRoot",
})
router.interceptAll("swapRoot", { before = "search", only = { "Swapped" } })
register("Late", "show", {
  build = function() return screen "Page" end,
  intercept = { "B", "swapOnce" },
})
router.interceptor("swapOnce", function()
  if router.root().kind ~= "nav" then router.navigate("Root", "swap") end
end)
register("Late", "removed", {
  find = "a",
  intercept = function() router.navigate("Root", "swap") end,
})
register("Late", "state", {
  build = function() return screen "Page" end,
  intercept = function() router.state.user = "ann" end,
  from = router.switch {
    {
      when = function() return router.state.user ~= nil end,
      from = router.link {
        build = function() return screen "Lobby" end,
        intercept = "B",
      },
    },
    default = "root",
  },
})
register("Late", "endless", {
  build = function() return screen "Page" end,
  from = router.switch {
    {
      from = function()
        local n = router.state.n or 0
        return router.link {
          build = function() return screen "Step" end,
          from = "current",
          intercept = function() router.state.n = n + 1 end,
        }
      end,
    },
  },
})

-- 'prepare' of an interceptor refuses before any of them is asked.
router.interceptor("limited", {
  prepare = function(nav)
    if nav.info.id == 0 then router.stop("there is no number 0") end
    if nav.info.id == nil then error("a number is missing") end
  end,
}, function() end)
register("Limited", "show", {
  build = function() return screen "Page" end,
  intercept = { "C1", "limited" },
})

-- For some services only.
router.interceptor("members", function(nav)
  if not router.state.user then router.stop(nav.service .. " is for members") end
end)
router.interceptAll("members", { except = {
  "Chain", "Answer", "Old", "New", "Ping", "Pong", "Count", "Same", "Found", "Root", "Lost",
  "Swapped", "Late", "Limited", "Free",
} })
register("Free", "show", function() return screen "Free" end)
register("Members", "show", function() return screen "Members" end)
