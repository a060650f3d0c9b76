router.links { "podcast", "https://podcasts.example:8080" }
