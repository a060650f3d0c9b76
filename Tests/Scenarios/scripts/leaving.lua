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
router.export("fail", function() error("no sum") end)
