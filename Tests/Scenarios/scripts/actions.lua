-- Actions: how a screen is put into the tree.
local register, screen = router.register, router.screen

router.class("exnav", { kind = "nav" })

-- Put/NAME puts a new screen of a class, Stack/NAME a new stack with one in it.
local function put(name, via, from)
  register("Put", name, {
    info = { class = "string" },
    build = function(info) return screen(info.class) end,
    via = via,
    from = from,
  })
  register("Stack", name, {
    info = { class = "string" },
    build = function(info) return router.nav { screen(info.class) } end,
    via = via,
    from = from,
  })
end

for _, action in ipairs {
  "push", "pushAsRoot", "pushReplacingLast", "present", "presentWithNav", "replaceRoot", "addTab",
  "setAsPrimary", "pushToDetails", "pushOnToDetails", "none",
} do
  put(action, action)
  put(action .. "FromA", action, "a")
  put(action .. "FromRoot", action, "root")
  put(action .. "FromCurrent", action, "current")
end

put("first", router.addTab { at = 1 })
put("second", router.addTab { at = 2 })
put("tenth", router.addTab { at = 10 })
put("insteadOfFirst", router.addTab { at = 1, replacing = true })
put("insteadOfTenth", router.addTab { at = 10, replacing = true })

-- A whole way: c becomes the only screen, then d is pushed.
register("Way", "anew", {
  build = function() return screen("d") end,
  from = router.link {
    build = function() return screen("c") end,
    via = "pushAsRoot",
  },
})

-- Presenting from elsewhere.
put("overA", router.present { start = { class = "a" } })
put("overNobody", router.present { start = { class = "nobody" } })
put("overTop", router.present { start = "topmostParent", style = "pageSheet" }, "a")
put("inPlace", router.present { contextual = true, style = "overCurrentContext" }, "a")
put("sheet", router.present {
  style = "formSheet", transition = "crossDissolve", size = { width = 320, height = 480 },
  modal = true, options = { detents = { "medium", "large" } },
})

-- Actions of the script's own.
router.action("pushOnFirst", { needs = "nav" }, function(place, new, nav)
  nav:setChildren(place, { place.children[1], new })
end)
put("onFirst", "pushOnFirst")

router.action("presentOnce", function(place, new, nav)
  if place.modal then error("a sheet is open already") end
  nav:act("presentWithNav", place, new)
end)
put("once", "presentOnce", "root")
put("onceFromA", "presentOnce", "a")

router.action("pushOnExnav", { needs = "exnav" }, function(place, new, nav)
  nav:act("push", place, new)
end)
put("onExnav", "pushOnExnav")
put("onExnavFromA", "pushOnExnav", "a")

-- It does the half of its work, then fails.
router.action("half", { needs = "nav" }, function(place, new, nav)
  nav:act("push", place, new)
  error("the second half is missing")
end)
put("half", "half")

-- Providers that return a screen of the tree.
register("a", "again", { build = function() return router.find("a") end })
register("a", "present", { build = function() return router.find("a") end, via = "present" })

-- A screen that scripts keep may be gone.
local kept
register("Kept", "show", function()
  kept = kept or screen "Kept"
  return kept
end)
router.export("onFromKept", function()
  return router.navigate("Put", "push", { class = "n" }, { from = kept }).status
end)
router.export("popToKept", function() return router.popTo(kept).status end)
router.export("selectKept", function() return router.select(kept).status end)
