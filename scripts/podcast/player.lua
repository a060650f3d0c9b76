--
-- player.lua: the player. Complete recycling: there is one, whatever it plays;
-- what lies above it goes.
--
local class, register, reuse, screen = router.class, router.register, router.reuse, router.screen

class("AudioPlayer", { fields = { trackId = "integer" } })

register("AudioPlayer", "open", {
  info = { trackId = "integer" },
  -- The app's own links only: a track is not for the web.
  url = "podcast://player/:trackId(int)",
  build = function(info)
    local player = reuse(function(page)
      return page.class == "AudioPlayer"
    end) or screen("AudioPlayer")
    player.trackId = info.trackId
    return player
  end,
})
