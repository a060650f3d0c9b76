--
-- texts.lua: messages with a given text
--
router.export("says", function(info) router.log.warn(info.text) end)
router.export("fails", function(info) error(info.text) end)
