router.register("AmountPicker", "show", {
  find = "AmountPicker",
  build = router.screen "AmountPicker",
  via = "present",
  result = "integer",
})

local function pickAmount()
  local isPicked, amount = router.navigate("AmountPicker", "show"):result()
  return isPicked and amount
end

-- Returns the number of entries of the shopping list.
router.registerTask("ShoppingList", "add", function(info, done)
  local amount = info.amount or pickAmount()
  if not amount then
    done(false)
    return
  end
  local list = { table.unpack(router.state.shopping or {}) }
  table.insert(list, { name = info.name, amount = amount })
  router.state.shopping = list
  return #list
end, {
  info = { name = "string", amount = "integer?" },
  result = "integer",
})
