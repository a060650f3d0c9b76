router.links { "podcast", "podcasts.example" }
