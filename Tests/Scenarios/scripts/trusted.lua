--
-- trusted.lua: what the strict profile does not offer
--
local numbers = coroutine.wrap(function()
  for number = 1, 3 do coroutine.yield(number) end
end)

router.export("next", function() return numbers() end)
