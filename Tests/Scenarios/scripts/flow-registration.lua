-- Two things that many apps have, and that have to come back to whoever began them: a registration
-- of several pages on the login's sheet, and a picker of sizes that more than one page opens.
local class, link, register, registerTask, screen =
  router.class, router.link, router.register, router.registerTask, router.screen

router.expects { tasks = { "Account/create" } }

router.start(function()
  return router.tabs {
    router.nav { screen "Shop" },
    router.nav { screen "Cart" },
  }
end)

-- The login. It knows the name of who has just registered.

class("Login", { fields = { "name" } })
register("Login", "show", {
  info = { name = "string?" },
  find = "Login",
  build = screen "Login",
  via = "presentWithNav",
})
router.interceptor("login", function()
  if router.state.user then return end
  local ok, user = router.navigate("Login", "show"):result()
  if not ok then router.stop("login was " .. user) end
  router.state.user = user
end)
register("Orders", "show", { build = screen "Orders", intercept = "login" })

-- The registration: each page is pushed on the previous one, and has the answers so far. The last
-- page closes the first one with the account, which removes all of them; the route of the first
-- page is notified and returns to the login.

class("NamePage", { fields = { "name" } })
class("MailPage", { fields = { "name", "mail" } })
class("TermsPage", { fields = { "name", "mail" } })

register("Registration", "name", {
  info = { name = "string?" },
  find = "NamePage",
  build = screen "NamePage",
  from = { "Login", "show" },
  adapt = function() return {} end,
  closed = function(page, account)
    if account then
      router.navigate("Login", "show", { name = account.name })
    else
      router.log.info("the registration of " .. (page.name or "nobody") .. " is given up")
    end
  end,
})
register("Registration", "mail", {
  info = { name = "string", mail = "string?" },
  find = "MailPage",
  build = screen "MailPage",
  from = { "Registration", "name" },
})
register("Registration", "terms", {
  info = { name = "string", mail = "string" },
  find = "TermsPage",
  build = screen "TermsPage",
  from = { "Registration", "mail" },
})

-- The action of the last button.
registerTask("Registration", "finish", function()
  local last = router.find "TermsPage"
  local account = { name = last.name, mail = last.mail }
  local _, creating = router.doTask("Account", "create", account)
  if not creating:await() then return "not created" end
  router.close(router.find "NamePage", account)
  return "created"
end)

-- The navigation has the result of the registration.
registerTask("Registration", "run", function()
  local ok, account = router.navigate("Registration", "name"):result()
  if not ok then return account end
  return account.name
end)

-- The picker of sizes. It knows nothing of the pages that open it.

class("Product", { fields = { "id", "size" } })
class("Line", { fields = { "id", "size" } })
class("SizePicker", { fields = { "size" } })

register("Product", "show", {
  info = { id = "integer" },
  find = { class = "Product", by = "id" },
  build = screen "Product",
})
register("Size", "pick", {
  info = { size = "string?" },
  build = screen "SizePicker",
})

-- The button of a page: it opens the picker on the stack of the page, or in a sheet, and takes the
-- size when it comes.
registerTask("Size", "ask", function(info)
  local page = router.visible()
  local picking = router.navigate("Size", "pick", { size = page.size }, { via = info.via or "push" })
  local ok, size = picking:result()
  if not ok then return size end
  page.size = size
  return "picked " .. size
end)

-- The same without a task: the page goes along in the info, and the route brings the size there.
register("Size", "pickFor", {
  info = { page = "screen" },
  build = screen "SizePicker",
  closed = function(_, size, nav)
    if size then nav.info.page.size = size end
    router.log.info("the picker of " .. nav.info.page.class .. " " .. nav.info.page.id .. " is closed")
  end,
})
router.export("pickSize", function()
  router.navigate("Size", "pickFor", { page = router.visible() })
end)
