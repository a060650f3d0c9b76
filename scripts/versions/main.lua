-- An app that restores snapshots of its older versions.
local nav, screen = router.nav, router.screen

router.expects { screens = { "Home", "Search", "Account" } }

-- Another number for other tabs.
local version = 2

local function main()
  local tabs = router.tabs {
    nav { screen "Home" }, nav { screen "Search" }, nav { screen "Account" },
  }
  tabs.version = version
  return tabs
end

router.start(main)

router.class("tabs", {
  fields = { "version" },
  restore = function(fields)
    if fields.version == version then return fields end
    return main()
  end,
})

-- Until version 2 the account had this name.
router.class("Profile", {
  restore = function(fields) return screen("Account", fields) end,
})

router.complete()
