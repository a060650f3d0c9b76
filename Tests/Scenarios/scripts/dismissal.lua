-- Screens that may leave or may not, and verbs that leave.
local register, screen = router.register, router.screen

router.class("Draft", { fields = { "dirty" }, dismissible = function(page) return not page.dirty end })
router.class("Locked", { dismissible = false })
router.class("Open", { dismissible = true })
router.class("Nosy", { dismissible = function(page)
  page.touched = true
  return true
end })
router.class("Broken", { dismissible = function() error("nobody knows") end })
router.class("SafeNav", { kind = "nav", dismissible = function(stack)
  return #stack.children < 3
end })

local function to(name, definition)
  register("To", name, definition)
end
to("root", { from = "root" })
to("a", { find = "a" })
to("below", { from = router.presenting() })
to("push", { build = function() return screen "n" end })
to("pushOnA", { build = function() return screen "n" end, from = "a" })
to("sheet", { build = function() return screen "n" end, via = "present" })
to("replace", { build = function() return screen "n" end, via = "pushReplacingLast" })
to("anew", { build = function() return screen "n" end, via = "pushAsRoot" })
to("home", { build = function() return screen "n" end, via = "replaceRoot", from = "root" })
to("asked", {
  find = "a",
  intercept = function() error("the interceptor is asked though a screen may not go") end,
})
to("askedFirst", {
  build = function() return screen "n" end,
  via = "replaceRoot",
  from = "root",
  intercept = function() router.log.info("asked") end,
})

-- The route of a screen declares how the screen is left.
register("Editor", "open", {
  info = { text = "string?" },
  build = function(info) return screen("Editor", { text = info.text }) end,
  via = "presentWithNav",
  closed = function(page, value)
    router.state.closed = { class = page.class, text = page.text, value = value or "left" }
  end,
})
router.export("save", function(call)
  router.close(router.find("Editor"), call.value)
end)
