-- A container that shows children is no container by its kind.
router.class("box", { kind = "leaf", shows = "last", max = 0 })
router.register("Main", "show", function() return router.screen("Main") end)
