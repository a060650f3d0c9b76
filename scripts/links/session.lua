--
-- session.lua: who is logged in. Pages of a person wait at the gate `session`
-- until somebody is, whatever led there: a link, a button, another page.
--
local class, export, register, screen, state =
  router.class, router.export, router.register, router.screen, router.state

class("Login", { fields = { "name" } })

register("Login", "show", {
  url = "/login",
  find = "Login",
  build = function() return screen "Login" end,
  via = "present",
})

-- The app calls these: when the server has answered, and when the person leaves.
export("logIn", function(person)
  state.user = person.name
  router.ready "session"
end)

export("logOut", function()
  state.user = nil
  router.unready "session"
end)
