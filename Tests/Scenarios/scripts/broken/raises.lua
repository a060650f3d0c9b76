-- A verb is misspelt.
router.registr("A", "show", function() end)
