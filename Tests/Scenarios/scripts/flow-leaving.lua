-- A draft that asks before it goes: discard it? The answer is what its question is closed with.
local register, screen = router.register, router.screen

router.expects { tasks = { "Draft/save" } }

register("Ask", "discard", {
  info = { text = "string" },
  build = function(info) return screen("Ask", { text = info.text }) end,
  via = "present",
  from = "current",
})

router.class("Draft", {
  fields = { "text" },
  leaving = function(_, draft)
    if not draft.text then return end
    local ok, answer = router.navigate("Ask", "discard", { text = draft.text }):result()
    if not (ok and answer == "discard") then router.stop("the draft is kept") end
  end,
})

-- Others that are asked, each in its way.
router.class("Saved", {
  fields = { "text" },
  leaving = function(_, page, proceed)
    router.doTask("Draft", "save", { text = page.text }, function(finished)
      proceed(finished, "the draft is not saved")
    end)
  end,
})
router.class("Slow", { leaving = function() router.sleep(2) end })
router.class("Stays", { leaving = function() router.stay("nobody leaves in the middle") end })
router.class("Elsewhere", { leaving = function() router.redirect("Help", "show") end })
router.class("Broken", { leaving = function() error("nobody knows") end })
router.class("Locked", { dismissible = false })
router.class("LockedDraft", {
  dismissible = false,
  leaving = function() error("what may not go is asked whether it would") end,
})
router.class("DraftNav", {
  kind = "nav",
  leaving = function(_, stack)
    local ok = router.navigate("Ask", "discard", { text = "all of " .. stack.class }):result()
    return ok
  end,
})

-- Ways on which a draft would go, or would not.
local function to(name, definition) register("To", name, definition) end
local function n() return screen "n" end
register("Help", "show", { build = function() return screen "Help" end })
to("A", { find = "A" })
to("root", { from = "root" })
to("push", { build = n })
to("sheet", { build = n, via = "present" })
to("replace", { build = n, via = "pushReplacingLast" })
to("anew", { build = n, via = "pushAsRoot" })
to("home", { build = n, via = "replaceRoot", from = "root" })
to("detail", { build = n, via = "pushToDetails" })

-- The verbs, as scripts call them: with options that the steps do not have.
router.export("back", function(options) router.back(1, options) end)
router.export("dismiss", function(options) router.dismiss(options) end)
router.export("dismissAll", function(options) router.dismissAll(options) end)
router.export("popToRoot", function(options) router.popToRoot(options) end)
router.export("popToA", function(options) router.popTo("A", options) end)
router.export("close", function(options)
  return router.close(router.find(options.class), options.value, { force = options.force }).status
end)
-- The outcome of a leaving verb.
local function ends(name, leave)
  router.registerTask("Leave", name, function()
    local finished, why = leave():await()
    return { finished = finished, status = why and why.status, code = why and why.code }
  end)
end
ends("backEnd", function() return router.back() end)
ends("closeEnd", function() return router.close(router.visible()) end)
