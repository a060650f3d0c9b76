-- An action has the name of one that there is.
router.action("push", function(place, screen, nav) nav:act("present", place, screen) end)
router.register("Main", "show", function() return router.screen("Main") end)
