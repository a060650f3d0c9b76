--
-- links.lua: links whose actions come and go, as scenarios say by calls
--
local export, register, routing, screen =
  router.export, router.register, router.routing, router.screen

local routings = {
  people = routing "/people",
  person = routing "/people/:id",
  show = routing "/people/:id/show",
  action = routing "/people/:id/:action(show|edit)/now",
  page = routing "/pages/:page(int)?q=:text&limit=:limit(int)?",
  file = routing "/files/*path",
  app = routing "app://localhost/welcome",
  any = routing "/hello",
  root = routing "/",
  web = routing "https://shop.example/cart",
}

-- Notes what it was called with, in the order of the calls.
local function note(word)
  router.state.log = (router.state.log and router.state.log .. " " or "") .. word
end

local actions = {}

function actions.note(request)
  note(request.url)
  return request.parameters
end

function actions.parts(request)
  return { path = request.pathParameters, query = request.queryParameters }
end

function actions.raise()
  error("no")
end

function actions.cancelItself()
  note(tostring(router.state.ticket))
  return actions.ticket:cancel()
end

function actions.cancelAll(request)
  router.cancelLinks()
  note(request.url)
end

function actions.again(request)
  note(request.url)
  router.dispatch("/people")
  note "dispatched"
end

function actions.endless(request)
  router.state.count = (router.state.count or 0) + 1
  router.dispatch(request.url)
end

function actions.setPeople(request)
  note(request.url)
  routings.people:setAction(actions.note)
end

function actions.wait()
  router.sleep(1)
end

function actions.waitLong()
  router.sleep(100)
end

function actions.go(request)
  return router.navigate("Person", "show", { id = request.parameters.id })
end

export("set", function(of)
  routings[of.routing]:setAction(actions[of.action])
end)

export("unset", function(of)
  return routings[of.routing]:unsetAction(actions[of.action])
end)

export("setLater", function(of)
  router.delay(of.seconds, function() routings[of.routing]:setAction(actions[of.action]) end)
end)

-- Dispatches from a script; what it gets is the result.
export("dispatch", function(of)
  local ticket, reason = router.dispatch(of.url, of.options)
  actions.ticket = ticket
  note "dispatched"
  return ticket and ticket.status or reason
end)

export("dispatchMany", function(of)
  local last, reason
  for index = 1, of.count do last, reason = router.dispatch("/people/" .. index) end
  return reason or last.status
end)

export("cancel", function() return actions.ticket:cancel() end)
export("cancelTwice", function()
  actions.ticket:cancel()
  return actions.ticket:cancel()
end)
export("status", function() return actions.ticket.status end)
export("cancelLinks", function() router.cancelLinks() end)
export("addRouting", function(of) routings[of.name] = routing(of.pattern, of.options) end)
export("ready", function(of) router.ready(of.gate) end)
export("raised", function(of)
  local _, message = pcall(router[of.name], of.argument)
  return message
end)

-- The events of deep links, as words.
router.on("link", function(event)
  if event.phase == "cancelled" then
    note("cancelled " .. #event.links)
  else
    note(event.phase)
  end
  router.state.last = { query = event.queryParameters, path = event.pathParameters }
end)

register("Home", "show", { url = "/", build = function() return screen "Home" end })

register("Person", "show", {
  info = { id = "any" },
  build = function(info) return screen("Person", { id = info.id }) end,
})

-- A screen that dispatches while it is made.
register("Eager", "show", function()
  router.dispatch("/people")
  return screen "Eager"
end)

register("Planner", "show", {
  prepare = function() router.dispatch("/people") end,
  build = function() return screen "Planner" end,
})

register("Arrived", "show", {
  build = function() return screen "Arrived" end,
  after = function() router.dispatch("/people") end,
})

-- Calls of a listener between 'will' and the action.
local isMeddling = false
export("meddle", function() isMeddling = true end)
router.on("link", function(event)
  if not isMeddling or event.phase ~= "will" then return end
  routings.people:unsetAction(actions.note)
  note(tostring(actions.ticket:cancel()))
  note(router.navigate("Person", "show", { id = 7 }).status)
end)
