-- A verb is misspelled.
router.registr("A", "show", function() end)
