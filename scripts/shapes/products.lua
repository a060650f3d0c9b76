--
-- products.lua: one page, and three routes that lead to it. An existing page of
-- the same product is reused, wherever it is in the tree.
--
local class, link, newNav, register, screen, stop, switch =
  router.class, router.link, router.newNav, router.register, router.screen,
  router.stop, router.switch

class("Product", { fields = { "id" } })

local sameProduct = { class = "Product", by = "id" }

local function prepare(info)
  if info.id == "" then stop "a product has an id" end
end

register("Product", "show", {
  info = { id = "string", url = "string?" },
  find = sameProduct,
  prepare = prepare,
  build = screen "Product",
  via = "push",
  from = switch {
    -- A product from a URL is shown over everything else.
    {
      when = function(info) return info.url end,
      from = newNav { via = "present", from = "current" },
    },
    -- This one holds where a stack is visible.
    { from = { kind = "nav", search = "currentVisibleOnly" } },
    default = { "Circle", "show" },
  },
})

register("Product", "fromFigures", {
  info = { id = "string" },
  find = sameProduct,
  prepare = prepare,
  build = screen "Product",
  via = "push",
  from = { "Figures", "show" },
})

-- The same page twice: one is pushed on the circle, and presents the other.
local function page(info)
  return screen("Product", { id = info.id })
end

register("Product", "fromCircle", {
  info = { id = "string" },
  find = sameProduct,
  prepare = prepare,
  from = link {
    build = page,
    via = "push",
    from = newNav {
      via = "present",
      from = link {
          build = page,
        via = "push",
        from = { "Circle", "show" },
      },
    },
  },
})
