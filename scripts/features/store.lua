--
-- store.lua: what features need. Each is made when a feature first needs it,
-- shared while a screen that got it is alive, and made again after.
--
local dependency, expects, export, provide =
  router.dependency, router.expects, router.export, router.provide
local state = router.state

-- Dependencies that only the host has: its own objects, which scripts pass on.
expects { dependencies = { "analytics" } }

-- A value with functions. Who holds it sees the same one.
local Session = {}
Session.__index = Session

function Session:visit(name)
  self.visited[#self.visited + 1] = name
  return #self.visited
end

local sessions = 0
provide("session", function()
  sessions = sessions + 1
  return setmetatable({ number = sessions, visited = {} }, Session)
end)

-- Flags are a dependency too, so what decides about features can be replaced.
provide("flags", function()
  local flags = {}
  function flags.isOn(name)
    return (state.flags or {})[name] == true
  end
  return flags
end)

-- One may need another, which lives as long as it does.
provide("api", function()
  local session = dependency("session")
  local api = {}
  function api.title(id)
    return "profile " .. id .. " of session " .. session.number
  end
  return api
end)

-- An experiment: other flags from now on. Whoever holds the old ones keeps them.
export("everythingIsOn", function()
  provide("flags", function()
    return { isOn = function() return true end }
  end, { override = true })
end)
