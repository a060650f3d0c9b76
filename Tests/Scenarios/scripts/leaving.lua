--
-- leaving.lua: a draft that asks before it goes, and a function that gives a sum
--
local class, screen = router.class, router.screen

class("Draft", {
  fields = { "text" },
  leaving = function(nav, draft)
    if draft.text == "unsaved" then router.stop("unsaved") end
    if draft.text == "new" then router.stay("keep writing") end
  end,
})
class("Locked", { dismissible = function() return false end })

router.register("List", "show", {
  build = function() return screen("List") end,
})
router.registerTask("List", "count", function() return 3 end)

router.export("sum", function(values)
  local sum = 0
  for _, value in ipairs(values.list or {}) do sum = sum + value end
  return sum
end)
router.export("leave", function(options)
  router.back(options)
end)
router.export("add", function(values)
  local _, task = router.doTask("Remote", "add", values)
  local _, sum = task:await()
  return sum
end)
router.export("later", function(options)
  router.sleep(options.seconds or 2)
  return "late"
end)
router.expects { tasks = { "Remote/add" } }
router.export("fail", function() error("no sum") end)
