--
-- cities.lua: a list of cities and the details of one, side by side. They take
-- the place of all else, and are for those who are logged in.
--
local class, nav, register, screen, split, stop =
  router.class, router.nav, router.register, router.screen, router.split,
  router.stop

class("Cities", { fields = { "id" } })
class("CityDetail", { fields = { "id" } })

local count = 15

-- The list knows its cities by text, and the details theirs by number. It is
-- an interceptor, and not `prepare`: a screen that is found is checked too.
local function checkCity(nav)
  local id = tonumber(nav.info.id or 1)
  if not id or id < 1 or id > count then
    stop("city id " .. nav.info.id .. " is invalid")
  end
end

register("City", "show", {
  find = "split",
  build = split { nav { screen "Cities" }, screen "CityDetail" },
  via = "replaceRoot",
  from = "root",
  intercept = "login",
})

-- The city of that id is marked in the list, or none.
register("Cities", "show", {
  info = { id = "string?" },
  find = "Cities",
  intercept = checkCity,
  from = { "City", "show" },
})

register("CityDetail", "show", {
  info = { id = "integer" },
  find = "CityDetail",
  intercept = checkCity,
  build = screen "CityDetail",
  via = "pushToDetails",
  from = { "Cities", "show" },
  adapt = function(info) return { id = tostring(info.id) } end,
})
