--
-- offers.lua: products, and the links of marketing letters to them. Such a link
-- may come before the catalogue is converted: then it waits.
--
local class, export, register, routing, screen =
  router.class, router.export, router.register, router.routing, router.screen

local offers = {}

class("Product", { fields = { "id", "campaign" } })

register("Product", "show", {
  info = { id = "string", campaign = "string?" },
  url = "/products/:id?campaign=:campaign?",
  reuse = { by = "id" },
  build = function() return screen "Product" end,
})

local letter = routing "/letter/:number(int)"

-- The action of a letter, as long as a catalogue is loaded.
local action

-- Letters lead to products from now on, also those that wait.
function offers.open(productOf)
  action = function(request)
    local parameters = request.parameters
    local product = productOf(parameters.number)
    if not product then error("no product " .. parameters.number, 0) end
    router.navigate("Product", "show", { id = product, campaign = parameters.from })
    return product
  end
  letter:setAction(action)
end

-- Letters wait again.
function offers.close()
  if action then letter:unsetAction(action) end
end

-- A letter that the app was opened with. Of several the last one counts.
export("openLetter", function(url)
  local ticket, reason = router.dispatch(url.text, { key = "letter", timeout = 10 })
  return ticket and ticket.status or reason
end)

return offers
