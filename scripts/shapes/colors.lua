--
-- colors.lua: three levels that stand on each other, as each route names the
-- one before it: a colour, the rule about it, and a second level over both.
--
local class, export, newNav, newTabs, present, register, screen =
  router.class, router.export, router.newNav, router.newTabs, router.present,
  router.register, router.screen

class("exnav", { kind = "nav" })
class("Color", { fields = { "hex" } })
class("Rule", {
  fields = { "dismissible" },
  dismissible = function(rule) return rule.dismissible end,
})

-- Six hexadecimal digits, or nothing.
local function hex(value)
  if type(value) == "string" then return value:match "^%x%x%x%x%x%x$" end
end

-- A colour on the topmost level is shown anew, with the other hex. One below
-- is not looked for: it stays what it is.
register("Color", "show", {
  info = { hex = hex },
  find = { class = "Color", search = "currentAllStack" },
  build = screen "Color",
  via = "push",
  from = newNav { class = "exnav", via = "present", from = "current" },
})

-- The rule itself has no colour: the hex is for the step behind it.
register("Rule", "show", {
  info = { hex = hex },
  find = { class = "Rule", search = "currentAllStack" },
  build = screen "Rule",
  via = "addTab",
  from = newTabs { via = "push", from = { "Color", "show" } },
})

register("Second", "show", {
  info = { hex = hex },
  find = "Second",
  build = screen "Second",
  via = "push",
  from = newNav {
    via = present { style = "overCurrentContext", start = "topmostParent" },
    from = { "Rule", "show" },
  },
})

-- The action of the button on the page of the rule.
export("acceptRule", function()
  assert(router.find("Rule")).dismissible = true
end)
