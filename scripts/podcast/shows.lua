--
-- shows.lua: the pages of shows. Partial recycling: a page of the same show is
-- reused, another show gets a page of its own.
--
local class, register, reuse, screen = router.class, router.register, router.reuse, router.screen

class("ShowPage", { fields = { showId = "integer" } })

register("ShowPage", "open", {
  info = { showId = "integer" },
  url = "/shows/:showId(int)",
  build = function(info)
    local page = reuse(function(page)
      return page.class == "ShowPage" and page.showId == info.showId
    end) or screen("ShowPage")
    -- Said again for a recycled page too, so that whoever watches it hears of it.
    page.showId = info.showId
    return page
  end,
})
