-- Screens that ask a person before they go, screens that never go, and tabs that are tapped twice.
local class, screen, state = router.class, router.screen, router.state

class("Draft", {
  fields = { "text", "dirty" },
  guarded = function(draft) return draft.dirty == true end,
  leaving = function(nav, draft)
    state.origin = nav.origin
    state.asked = (state.asked or 0) + 1
    if state.answer == "stay" then router.stop("unsaved") end
    if state.answer == "dialog" then
      local ok = router.navigate("Confirm", "ask")
      local _, leaves = ok:result()
      if leaves ~= true then router.stop("kept") end
    end
  end,
})
class("Form", { leaving = function() state.asked = (state.asked or 0) + 1 router.stop("unsaved") end })
class("Locked", { dismissible = false, guarded = function() return false end })
class("Warned", { guarded = function() return state.isWarned == true end })
class("Nosy", { fields = { "seen" }, guarded = function(page) page.seen = true end, leaving = function() end })
class("Broken", { guarded = function() error("nobody knows") end, leaving = function() end })

router.start(function() return router.nav { screen "Home" } end)
router.onBack(function() state.handled = true return true end)
router.register("Confirm", "ask", { build = screen "Confirm", via = "present" })
router.register("Home", "show", { find = "Home" })
router.register("Draft", "save", {
  find = "Home",
  intercept = function() router.find("Draft").dirty = false end,
})

class("Plain", { kind = "tabs" })
class("Handled", {
  kind = "tabs",
  reselected = function(tabs, tab)
    state.tapped = { tabs = tabs.class, tab = tab.children[#tab.children].class }
    router.navigate("Home", "show")
  end,
})
class("Failing", { kind = "tabs", reselected = function() error("no tabs") end })
class("Still", { kind = "tabs", reselected = false })
class("Strip", { kind = "container", shows = "selected" })
router.on("reselected", function(event)
  state.events = (state.events or 0) + 1
  state.event = { window = event.window, tabs = event.tabs, screen = event.screen }
end)
