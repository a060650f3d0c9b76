--
-- prelude.lua: what the environment of scripts holds besides Lua's own
-- libraries, where that is simplest said in Lua.
--
-- It gets the functions of the host and defines `router`, `print` and `require`.
-- It returns a function that gives these to another environment.
--
local api, log, os, state, later, next, unknown, write, load, freeze, settle = ...
local concat, error, pairs, rawset, select, setmetatable, tostring =
  table.concat, error, pairs, rawset, select, setmetatable, tostring

-- A view that cannot be written, and that says what was meant by a wrong name.
local function sealed(name, members)
  setmetatable(members, {
    __index = function(_, key)
      error(unknown(name, tostring(key)), 2)
    end,
  })
  return freeze(members, name .. " is read only")
end

local members = { log = sealed("router.log", log), state = state, later = later, next = next }
for name, value in pairs(api) do
  members[name] = value
end
local router = sealed("router", members)

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

local function require(name)
  local value = loaded[name]
  if value == nil then
    load(name, run)
    value = loaded[name]
  end
  return value
end

local function share()
  return router, os, print, require
end

rawset(_G, "router", router)
rawset(_G, "os", os)
rawset(_G, "print", print)
rawset(_G, "require", require)
return share
