router.kind("isbn", function(text) return text end)
router.kind("isbn", function(text) return text end)
