-- Finders: where they begin, where they go, and what they accept.
local register, screen = router.register, router.screen

for _, name in ipairs { "nav1", "nav2", "nav3", "exnav" } do
  router.class(name, { kind = "nav" })
end

-- The classes that a search visits, in its order.
router.export("visits", function(call)
  local visited = {}
  local start = router.find(call.start)
  router.find {
    search = call.search,
    direction = call.direction,
    start = function() return start end,
    match = function(candidate) visited[#visited + 1] = candidate.class end,
  }
  return visited
end)

-- The class of what a finder finds, and its id.
router.export("find", function(call)
  local found = router.find(call.finder, call.info)
  return found and { class = found.class, id = found.id }
end)

-- The stack that is visible in the root of the window.
local function visibleNav()
  local place = router.root()
  while place.kind ~= "nav" do
    for _, child in ipairs(place.children) do
      if child.isVisible then place = child end
    end
  end
  return place
end

local function page(task, find)
  register("a", task, {
    find = find,
    build = function() return screen("a") end,
    via = "push",
  })
end

page("anywhere", "a")
page("visible", { class = "a", search = "currentVisibleOnly", start = visibleNav })
page("stack", { class = "a", search = "currentAllStack", start = visibleNav })
page("up", { class = "a", search = "currentAndUp" })
page("never", "never")

register("b", "show", {
  find = "b",
  build = function() error("b is built though it stands") end,
  via = "present",
})

-- The class, and a field that is asked for.
register("Product", "show", {
  info = { id = "integer" },
  find = { class = "Product", by = "id" },
  build = function(info) return screen("Product", { id = info.id }) end,
})

-- Below the top, whatever it is.
register("Back", "go", { from = router.presenting() })

-- The stack in the details of a split; where they are collapsed, the stack inside the primary.
local function isDetails(candidate)
  local place = candidate.parent
  if candidate.kind ~= "nav" or not place then return false end
  if place.kind == "split" then return candidate == place.children[2] end
  return place.kind == "nav" and place.parent and place.parent.kind == "split"
end

register("Details", "show", { from = isDetails })

-- A screen that scripts have kept, and that may be gone.
local kept
register("Kept", "keep", function()
  kept = screen("Kept")
  return kept
end)
register("Kept", "find", { find = function(candidate) return candidate == kept end })
register("Kept", "anew", {
  find = function(candidate) return candidate == kept end,
  build = function() return screen("Kept", { again = true }) end,
})
register("Kept", "from", {
  build = function() return screen("Next") end,
  from = function(candidate) return candidate == kept end,
})
