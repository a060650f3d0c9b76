router.register("Show", "open"
