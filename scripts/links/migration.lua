--
-- migration.lua: the catalogue of the last version is converted when the app
-- starts. Until then nobody can say which product a link means.
--
local export, offers, log = router.export, require "offers", router.log

-- The converted catalogue: the product that an old number means.
local function convert(products)
  return function(number) return products[number] end
end

export("migrated", function(catalogue)
  offers.open(convert(catalogue.products))
end)

-- The app goes to the background: queued deep links are useless when it returns.
export("leave", function()
  offers.close()
  router.cancelLinks()
end)

router.on("link", function(event)
  if event.phase == "timeout" then
    log.warn("'" .. event.url .. "' was not served in time")
  end
end)
