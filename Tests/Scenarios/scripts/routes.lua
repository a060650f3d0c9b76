-- Handlers of route strings.
local export, handle, register, screen = router.export, router.handle, router.register,
  router.screen

router.class("Page", { fields = { "id", "note" } })
register("Page", "show", {
  info = { id = "integer", note = "string?" },
  build = function() return screen("Page") end,
})
register("Any", "show", {
  build = function(info, nav)
    return screen("Any", { info = info, url = nav.url, origin = nav.origin, params = nav.params })
  end,
})
register("Closed", "show", { origin = "script", build = function() return screen("Closed") end })
register("Nav", "show", { via = "push", build = function() return screen("Nav") end })
router.registerTask("Work", "doIt", function() return 1 end)

-- One handler owns two identifiers, and chooses by the origin screen.
handle({ "page", "profile_mainroute" }, { info = { id = "integer", note = "string?", source = "string?" } },
  function(route, from)
    if from and from.class == "Any" then
      return "Any", "show", { from = from.class, id = route.info.id, identifier = route.identifier }
    end
    return "Page", "show"
  end)
handle("", function(route) return "Any", "show", { text = route.text } end)
handle("any thing/of:that kind", function() return "Any", "show" end)
handle("any", function() return "Any", "show" end)
handle("inner", { info = { next = "string", list = "table?" } }, function(route)
  return "Any", "show", route.info
end)
handle("typo", function(route) return "Page", "show", { id = 1, nte = "x" } end)
handle("closed", function() return "Closed", "show" end)
handle("nav", function() return "Nav", "show" end)
handle("work", function() return "Work", "doIt" end)
handle("lost", function() return "Pag", "show" end)

-- Mistakes in a handler.
handle("raises", function() error("no idea") end)
handle("nothing", function() end)
handle("number", function() return 7 end)
handle("service", function() return "Page" end)
handle("odd", function() return "Page", "show", "info" end)
handle("navigates", function() router.navigate("Any", "show") return "Any", "show" end)
handle("writes", function() router.state.seen = true return "Any", "show" end)
handle("waits", function() router.sleep(1) return "Any", "show" end)
handle("stops", function() router.stop("no") end)

export("open", function(arguments)
  router.open(arguments.text, {
    via = arguments.via,
    completion = function(finished, why)
      router.state.times = (router.state.times or 0) + 1
      router.state.code = not finished and why.code or "done"
    end,
  })
end)
export("handle", function(arguments)
  local ok, why = pcall(handle, arguments.identifiers, { override = arguments.override },
    function() return "Page", "show", { id = 99 } end)
  return why
end)

router.start(function() return router.nav { screen("Main") } end)
