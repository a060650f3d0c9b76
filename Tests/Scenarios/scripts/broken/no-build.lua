-- A step neither finds nor builds nor comes from anywhere.
router.register("Main", "show", { via = "push" })
