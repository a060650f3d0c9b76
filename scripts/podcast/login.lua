--
-- login.lua: who wants to know the person makes a login page by a task, shows
-- it, and hears of the end when the page is done.
--
local class, export, register, registerTask, screen =
  router.class, router.export, router.register, router.registerTask, router.screen

-- It does not come back after a restart: nobody waits for its answer then.
class("LoginPage", {
  fields = {},
  restore = function() return nil end,
})

-- The navigations that wait for the open page, if there is one.
local waiting

local function finish(finished, user)
  local done = waiting
  waiting = nil
  if done then done(finished, user) end
end

registerTask("Login", "create", function(info, done)
  finish(false)
  waiting = done
  return { screen = screen("LoginPage") }, router.later
end)

register("Login", "show", {
  info = { screen = "screen" },
  build = function(info) return info.screen end,
  via = "presentWithNav",
  -- A page that is left without an answer is an answer too.
  closed = function() finish(false) end,
})

-- The actions of the page's two buttons.
export("logIn", function(user) finish(true, user) end)
export("cancelLogin", function() finish(false) end)
