--
-- boxes.lua: a container of our own. A box holds one screen, images or the
-- details of one, and bears its title.
--
local class, container, newNav, register, screen =
  router.class, router.container, router.newNav, router.register, router.screen

class("box", {
  kind = "container",
  fields = { "title" },
  shows = "last",
  max = 1,
})
class("Details", { fields = { "id" } })

register("Box", "show", {
  info = { title = "string" },
  find = "box",
  build = container "box",
  via = "push",
  from = newNav { via = "present", from = "current" },
})

register("Images", "show", {
  find = "Images",
  build = screen "Images",
  via = "replaceLast",
  from = { "Box", "show" },
  adapt = function() return { title = "images" } end,
})

register("Details", "show", {
  info = { id = "integer" },
  find = { class = "Details", by = "id" },
  build = screen "Details",
  via = "replaceLast",
  from = { "Box", "show" },
  adapt = function(info) return { title = "image " .. info.id } end,
})
