-- Nothing is asked yet.
router.stop("no")
