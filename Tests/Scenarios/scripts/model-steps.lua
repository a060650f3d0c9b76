-- Which step 'updateAll' and 'afterAll' see.

local screen = router.screen

local function note(what)
  return function(page, _, nav)
    local line = what .. " " .. page.class .. " " .. nav.step
    router.state.log = (router.state.log and router.state.log .. ", " or "") .. line
  end
end

router.updateAll(note("update"))
router.afterAll(note("after"))

router.register("Parent", "show", {
  find = { class = "Parent" },
  build = screen("Parent"),
  via = "push",
})
router.register("Page", "show", {
  build = screen("Page"),
  via = "push",
  from = { "Parent", "show" },
})
