-- Origins, and no route that has a URL.

router.links { "https://good.example" }
router.routing("/promo/:code")
router.register("Home", "show", { build = router.screen("Home") })
