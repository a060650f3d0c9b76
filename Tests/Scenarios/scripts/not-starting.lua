--
-- not-starting.lua: a first tree that is built for those alone who say who they are
--
router.start(function(info)
  if not info.name then error("who is it", 0) end
  return router.nav { router.screen "Home" }
end)
