// SPDX-License-Identifier: MIT

import Foundation
import LuaRouting

/// The routes of the shop, which an app would read from a folder.
let shopScript = """
    local register, screen = router.register, router.screen

    router.expects {
      tasks = { "Analytics/seen" },
      screens = { "Products", "Product", "Orders", "Login" },
    }

    router.class("Product", { fields = { "id" } })

    router.start(function() return router.nav { screen "Products" } end)

    register("Product", "show", {
      url = "/products/:id(int)",
      info = { id = "integer" },
      find = { class = "Product", by = "id" },
      build = screen "Product",
      after = function(page) router.doTask("Analytics", "seen", { id = page.id }) end,
    })

    register("Login", "show", {
      find = "Login",
      build = screen "Login",
      via = "presentWithNav",
    })

    router.interceptor("login", { timeout = 60 }, function()
      if router.state.user then return end
      local ok, user = router.navigate("Login", "show"):result()
      if not ok then router.stop "nobody is logged in" end
      router.state.user = user
    end)

    register("Orders", "show", { build = screen "Orders", intercept = "login" })
    """
