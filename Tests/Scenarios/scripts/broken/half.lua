router.register("Show", "open", function() return router.screen "Show" end
