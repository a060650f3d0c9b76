-- Requests that fail in each way.
local nav, register, registerTask, screen, start =
  router.nav, router.register, router.registerTask, router.screen, router.start

router.expects { tasks = { "T/late" } }
router.class("Home", {})
start(function() return nav { screen "Home" } end)

registerTask("T", "fails", function() error "boom" end)
registerTask("T", "refused", function(_, done) done(false, "why") end)
router.export("fails", function() error "boom" end)
register("R", "fails", { url = "/r/:id", build = function() error "boom" end })
register("R", "waits", {
  build = function() return screen "Home" end,
  intercept = function()
    local _, task = router.doTask("T", "late")
    if not task:await() then router.stop "no" end
  end,
})
