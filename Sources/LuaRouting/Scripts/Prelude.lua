--
-- prelude.lua: what the environment of scripts holds besides Lua's own
-- libraries, where that is simplest said in Lua.
--
-- It gets the tables of functions of `router`, `router.log` and `os`, and other
-- functions of the host, and defines `router`, `print` and `require`. It returns
-- a function that gives these to another environment.
--
local members, log, clock, state, later, next, write, find, load, freeze, settle =
  ...
local concat, ipairs, pairs, rawget, rawset, select, tostring =
  table.concat, ipairs, pairs, rawget, rawset, select, tostring

members.log = freeze(log, "router.log is read only")
members.state, members.later, members.next = state, later, next
local router = freeze(members, "router is read only")

-- A table that scripts may change; a view goes over all functions.
local os = {}
for name, value in pairs(freeze(clock, "")) do
  os[name] = value
end

local function print(...)
  local parts = {}
  for i = 1, select("#", ...) do
    parts[i] = tostring((select(i, ...)))
  end
  write(concat(parts, "\t"))
end

local loaded = {}

-- Runs a module; the host calls it, and has seen to it that no module waits for itself.
local function run(chunk, name)
  local value = chunk(name)
  settle()
  if value == nil then value = true end
  loaded[name] = value
end

-- The `require` of an environment. The libraries of the environment are modules.
local function requirer(globals, isVendor)
  local known = { os = os }
  for _, name in ipairs { "coroutine", "math", "string", "table", "utf8" } do
    known[name] = rawget(globals, name)
  end
  return function(name)
    local value = known[name]
    if value == nil then
      local module = find(name, isVendor)
      value = loaded[module]
      if value == nil then
        load(module, run)
        value = loaded[module]
      end
      known[name] = value
    end
    return value
  end
end

local function share(globals, isVendor)
  return router, os, print, requirer(globals, isVendor)
end

rawset(_G, "router", router)
rawset(_G, "os", os)
rawset(_G, "print", print)
rawset(_G, "require", requirer(_G, false))
return share
