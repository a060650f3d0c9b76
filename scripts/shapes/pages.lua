--
-- pages.lua: two pages of one person, which come together as tabs on the
-- circle. Who asks for one of them finds its tab selected.
--
local class, link, nav, register, screen, tabs =
  router.class, router.link, router.nav, router.register, router.screen,
  router.tabs

local pages = link {
  build = tabs { nav { { "MHome", "page" } }, nav { { "MSettings", "page" } } },
  via = "push",
  from = { "Circle", "show" },
}

for _, name in ipairs { "MHome", "MSettings" } do
  class(name, { fields = { "user" } })

  -- The page as a leaf of the tabs.
  register(name, "page", { info = { user = "string" }, build = screen(name) })

  -- The existing page: it is searched again after the tabs are built.
  register(name, "show", {
    info = { user = "string" },
    find = { class = name, by = "user" },
    from = pages,
  })
end
