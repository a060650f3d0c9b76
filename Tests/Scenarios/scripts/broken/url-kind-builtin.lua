router.kind("int", function(text) return text end)
