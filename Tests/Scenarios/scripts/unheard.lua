--
-- unheard.lua: errors of functions whose callers cannot catch them
--
local screen = router.screen

router.expects { tasks = { "Host/work" } }

router.register("After", "show", {
  build = function() return screen("After") end,
  after = function() error("in after") end,
})
router.register("Closed", "show", {
  build = function() return screen("Closed") end,
  closed = function() error("in closed") end,
})
router.registerTask("Work", "raise", function() error("in a task") end)
router.registerTask("Work", "wait", function(_, done)
  router.delay(60, function() done(true) end)
  return nil, router.later
end)

router.export("delay", function() router.delay(1, function() error("in delay") end) end)
router.export("waits", function() router.delay(1, function() router.sleep(1) end) end)
router.export("completion", function()
  router.navigate("Nowhere", "show", {}, { completion = function() error("in completion") end })
end)
router.export("after", function() router.navigate("After", "show") end)
router.export("closed", function()
  router.navigate("Closed", "show"):await()
  router.back()
end)
router.on("shown", function(event)
  if event.screen == "Listened" then error("in a listener") end
end)
router.export("listener", function() router.replace(router.root(), screen("Listened")) end)
router.export("twice", function()
  for _ = 1, 2 do router.delay(1, function() error("in delay") end) end
end)
router.export("task", function() router.doTask("Work", "raise") end)
router.export("missing", function() router.doTask("Work", "none") end)
router.export("awaited", function()
  local _, task = router.doTask("Work", "raise")
  task:await()
end)
router.export("looked", function()
  local _, task = router.doTask("Work", "raise")
  return task.status
end)
router.export("heard", function() router.doTask("Work", "raise", {}, function() end) end)
router.export("says", function() router.log.error("of its own") end)
router.export("sleeps", function()
  router.sleep(60)
  return "late"
end)
router.onBack(function()
  if router.state.waits then router.sleep(1) end
  error("in onBack")
end)
