--
-- support.lua: a chat with a person who may not be there. A link to it waits,
-- though not for ever.
--
local class, export, register, routing, screen =
  router.class, router.export, router.register, router.routing, router.screen

class("Chat", { fields = { "topic" } })

register("Chat", "show", {
  info = { topic = "string?" },
  find = "Chat",
  build = function() return screen "Chat" end,
  via = "present",
})

local chat = routing "/chat?topic=:topic?"

local function answer(request)
  router.navigate("Chat", "show", { topic = request.parameters.topic })
end

export("personArrives", function() chat:setAction(answer) end)
export("personLeaves", function() chat:unsetAction(answer) end)
