-- URLs that are rewritten before they are matched.
local nav, register, screen, state = router.nav, router.register, router.screen, router.state

router.links { "app", "https://app.example" }
router.start(function() return nav { screen "Home" } end)

router.rewrite(function(url)
  if url == "app://fails" then error "no" end
  if url == "app://number" then return 7 end
  if url == "app://effect" then state.seen = url end
  if url == "app://foreign" then return "https://other.example/pages/7" end
  if url == "app://nothing" then return "app://unknown" end
  if url == "app://malformed" then return "app://pages/%ZZ" end
  local rest = url:match "^app://p/(.*)$" or url:match "^https://app%.example/go%?u=(.*)$"
  -- Not rewritten again.
  return rest and "app://" .. rest
end)

register("Page", "show", {
  url = "/pages/:id(int)",
  build = function(info, nav)
    return screen("Page", { id = info.id, url = nav.url, path = nav.path, query = nav.query.q })
  end,
})
register("Once", "show", { url = "/p/:rest", build = function() return screen "Once" end })
register("First", "show", {
  url = "/pages/100",
  build = function() return router.next end,
})
router.routing("/gifts/:code"):setAction(function(request)
  state.gift = request.parameters.code .. " " .. request.url
end)
local later = router.routing "/later/:code"
router.export("later", function()
  later:setAction(function(request)
    state.gift = request.parameters.code .. " " .. request.url
  end)
end)

router.export("dispatch", function(info)
  local ticket, reason = router.dispatch(info.url)
  return ticket and ticket.url or reason
end)
