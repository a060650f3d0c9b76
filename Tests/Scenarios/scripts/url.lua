-- URLs: every rule of patterns, and what reads them. A page shows which route it is of, and what
-- the URL gave.
local register, screen = router.register, router.screen

router.class("Page", { fields = { "route", "params" } })
router.class("Show", { fields = { "showId" } })
router.class("Reader", { fields = { "url", "path", "query", "pairs", "fragment", "origin" } })

router.links { "podcast", "https://podcasts.example", "https://:tenant.shops.example" }

-- Kinds of scripts: one converts, others misbehave.
router.kind("isbn", function(text)
  local digits = text:gsub("-", "")
  return #digits == 10 and digits or nil
end)
router.kind("point", function(text)
  local x, y = text:match("^(%d+),(%d+)$")
  return x and { x = tonumber(x), y = tonumber(y) }
end)
router.kind("loops", function()
  while true do end
end)
router.kind("raises", function(text)
  error("no " .. text)
end)
router.kind("acts", function(text)
  router.navigate("Show", "open", { showId = 1 })
  return text
end)
router.kind("sets", function(text)
  router.state.text = text
  return text
end)
router.kind("waits", function(text)
  router.sleep(1)
  return text
end)
router.kind("stops", function()
  router.stop("no")
end)
router.kind("function", function()
  return print
end)
router.kind("deep", function()
  local deep = {}
  for _ = 1, 40 do deep = { deep } end
  return deep
end)
router.kind("no", function() end)
router.kind("refuses", function() return false end)

-- A route whose page shows what the URL gave.
local function page(name, url, definition)
  definition = definition or {}
  definition.url = url
  definition.build = definition.build or function(_, nav)
    return screen("Page", { route = name, params = nav.params })
  end
  register("Page", name, definition)
end

page("literal", "/literal/Two")
page("escaped", "/two%20words")
page("parameter", "/parameter/:id")
page("int", "/int/:id(int)")
page("uint", "/uint/:id(uint)")
page("number", "/number/:id(number)")
page("uuid", "/uuid/:id(uuid)")
page("slug", "/slug/:id(slug)")
page("date", "/date/:id(date)")
page("enum", "/enum/:tab(about|reviews)")
page("isbn", "/isbn/:book(isbn)")
page("point", "/point/:at(point)")
page("loops", "/kinds/loops/:x(loops)")
page("raises", "/kinds/raises/:x(raises)")
page("acts", "/kinds/acts/:x(acts)")
page("sets", "/kinds/sets/:x(sets)")
page("waits", "/kinds/waits/:x(waits)")
page("stops", "/kinds/stops/:x(stops)")
page("function", "/kinds/function/:x(function)", {
  build = function(info)
    return screen("Page", { route = "function", params = { x = type(info.x) } })
  end,
})
page("deep", "/kinds/deep/:x(deep)")
page("no", "/kinds/no/:x(no)")
page("refuses", "/kinds/refuses/:x(refuses)")
page("optional", "/optional/:id(int)/:tab(about|reviews)?")
page("optionalQuery", "/both/:id??ref=:r")
page("rest", "/rest/*path")
page("some", "/some/*path?")
page("search", "/search?q=:query&page=:page(int)?")
page("list", "/list/*path(list)")
page("tags", "/tags?tag=:tags(int list)")
page("started", "/state?on=true")
page("middle", "/:lang(de|en)?/middle")
page("room", "/app#/room/:id(int)?mode=:mode?")
page("player", "podcast://player/:track(int)")
page("web", "https://podcasts.example/only/:id")
page("two", { "/two/:id(int)", "/second/:id(int)" })
page("root", "/")

-- Rank.
page("rankLiteral", "/rank/top")
page("rankKind", "/rank/:id(int)")
page("rankText", "/rank/:id")
page("rankTail", "/rank/*path")
page("rankQuery", "/rank/:id?q=:q")
page("deadEnd", "/dead/:a/end")
page("dead", "/dead/:b/*rest")

-- The allowed origins.
page("inside", "/inside", { origin = { "script", "host" } })
page("outside", "/outside", { origin = { "external" } })

-- Declared types apply after conversion, and what is not declared is dropped.
register("Show", "open", {
  info = { showId = "integer" },
  url = { "/shows/:showId(int)", "/shows/:showId(number)/n", "/shows/:showId/text", "/shows/:showId(int)/:tab" },
  find = { class = "Show", by = "showId" },
  build = function() return screen("Show") end,
})
router.alias("/s/:showId(int)", "/shows/:showId(int)")
-- Parameters without a kind in an alias have that of the route.
router.alias("/old/:showId", "/shows/:showId(int)")
router.alias("/older/:showId", "/shows/:showId")
router.alias("/oldest?show=:showId", "/shows/:showId")

register("Reader", "open", {
  url = "/read/:what",
  build = function(_, nav)
    return screen("Reader", {
      url = nav.url, path = nav.path, query = nav.query, pairs = nav.queryItems,
      fragment = nav.fragment, origin = nav.origin,
    })
  end,
})

-- The next match.
page("nextLiteral", "/next/build/7", { build = function() return router.next end })
page("nextKind", "/next/build/:id(int)", { prepare = function() return router.next end })
page("nextText", "/next/build/:id")
page("nextEnd", "/next/end", { prepare = function() return router.next end })
page("nextForbidden", "/next/forbidden", { prepare = function() return router.next end })
page("nextInside", "/next/:what(forbidden|other)", { origin = { "host" } })
page("nextFirst", "/next/stage", {
  build = function()
    router.state.built = true
    screen("Show", { showId = 9 })
    return router.next
  end,
  from = router.newNav { via = "present", from = "current" },
})
page("nextSecond", "/next/:what(stage|same)")
page("nextSame", "/next/same/:x?", {
  prepare = function() return router.next end,
})
register("Next", "provider", function() return router.next end)

-- Functions of a parent route or of a leaf of a tree may return router.next too.
register("Behind", "step", {
  prepare = function() return router.next end,
  build = function() return screen("Page") end,
})
page("nextBehind", "/nexts/behind", {
  build = function() return screen("Page") end,
  from = { "Behind", "step" },
})
page("nextLeaf", "/nexts/leaf", {
  build = function() return router.nav { { "Next", "provider" } } end,
  via = "present",
})
page("nextTree", "/nexts/tree", {
  build = router.tabs { { "Behind", "step" } },
  via = "present",
})
page("nextValue", "/nexts/value", {
  build = function()
    local ok = pcall(function() router.state.next = router.next end)
    return screen("Page", { route = tostring(ok), params = { same = router.next == router.next } })
  end,
})
page("nextsEnd", "/nexts/:where(behind|leaf|tree)")
router.registerTask("Next", "task", function() return router.next end)

-- An interceptor may send a link somewhere else; it goes by the URL no more then.
router.interceptor("elsewhere", function(nav)
  router.redirect("Next", "provider", { from = nav.path })
end)
page("redirected", "/redirected/:id", { intercept = { "elsewhere" } })
page("redirectedTail", "/redirected/*rest")

-- An interceptor that waits has the way planned again; the match is kept.
router.interceptor("slow", function() router.sleep(1) end)
page("slow", "/slow/:id(int)", {
  intercept = { "slow" },
  prepare = function(info, nav)
    router.log.debug("prepared " .. info.id .. " of " .. nav.path)
  end,
})

router.export("url", function(t)
  local ok, url = pcall(router.url, t.service or "Page", t.task, t.info)
  if not ok then return url:gsub("^[^:]*:%d+: ", "") end
  -- A printed URL is parsed to the same parameters.
  return url, router.open(url).status
end)
router.export("remove", function(t) router.remove("Page", t.task) end)
router.export("override", function()
  register("Page", "literal", {
    url = "/literal/Three",
    override = true,
    build = function() return screen("Page", { route = "override" }) end,
  })
end)
router.export("conflict", function()
  local ok, message = pcall(page, "conflict", "/int/:other(int)")
  if ok then return "registered" end
  return message:gsub("^[^:]*:%d+: ", "")
end)
router.export("bad", function(t)
  local ok, message = pcall(page, "bad", t.url)
  if ok then return "registered" end
  return message:gsub("^[^:]*:%d+: ", "")
end)
router.export("open", function(t)
  local opened = router.open(t.url, { animated = false })
  return opened.status
end)
router.export("opens", function(t)
  local ok, message = pcall(router.open, t.url, t.options)
  return { ok = ok, message = not ok and message:gsub("^[^:]*:%d+: ", "") or nil }
end)

-- Literal text around a parameter.
page("user", "/@:user")
page("document", "/docs/:name.html")
page("version", "/v:major(int)/notes")
page("bool", "/bool/:on(bool)")
-- Labels of hosts.
page("shop", "/shop/:id(int)")
page("own", "https://:own.shops.example/own/:id(int)")

-- Aliases that fix parameters of the pattern for which they stand.
page("books", "/books/:list/:page(int)?")
page("sort", "/sort/:by(name|price)/*path?")
page("found", "/found?q=:query&page=:page(int)?")
page("chapter", "/chapters/part-:part(int)/:isbn(isbn)")
router.alias("/books", "/books/popular")
router.alias("/books-:page(int)", "/books/new/:page")
router.alias("/cheap", "/sort/price/all/of/it")
router.alias("/lua/:page(int)?", "/found?q=lua%20script&page=:page")
router.alias("/second", "/chapters/part-2/0-306-40615-2")
