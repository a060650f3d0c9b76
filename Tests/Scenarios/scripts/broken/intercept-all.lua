-- An interceptor for all routes is declared nowhere.
router.register("Home", "show", function() return router.screen("Home") end)
router.interceptAll("login", { except = { "Home" } })
