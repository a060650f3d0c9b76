-- Fallbacks of disabled routes that are not valid routes.
local function off() return false end
local function build() return router.screen "Page" end

router.register("Old", "show", build)
router.registerTask("Work", "run", function() return 1 end)
router.register("Lost", "show", { enabled = off, fallback = { "Olt", "show" }, build = build })
router.register("Busy", "show", { enabled = off, fallback = { "Work", "run" }, build = build })
