-- A new screen in the place of one, wherever that is.
router.register("Page", "show", function() return router.screen "page" end)

local function find(name) return router.find(name) end

router.export("replace", function(info)
  router.replace(find(info.old), router.screen(info.new))
end)

router.export("again", function(info)
  return router.replace(find(info.old), find(info.new)).status
end)
