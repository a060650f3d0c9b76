router.links { "podcast" }
router.links { "https://podcasts.example" }
