-- The 'if' in a nested function lacks its 'end', so Lua reports the last line.
local function page(info)
  local function title()
    local text = "Page"
    if info.title then
      text = info.title
    return text
  end
  return router.screen("Page", { title = title() })
end

router.register("Page", "show", { build = page })
