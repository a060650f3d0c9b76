// SPDX-License-Identifier: MIT

/// The scripts of a soak, in which each function returns the number of its generation.
enum SoakScript {
    /// Returns the scripts of a generation.
    ///
    /// - Parameters:
    ///   - number: The number that the functions return.
    ///   - ending: The text appended at the end.
    /// - Returns: The text of the entry.
    static func text(_ number: Int, ending: String = "") -> String {
        """
        local number = \(number)
        local function note() router.log.info("by " .. number) end
        router.options { drain = 15 }
        router.start(function()
          return router.tabs {
            router.nav { router.screen "Main" },
            router.nav { router.screen "More" },
          }
        end)
        router.class("Draft", {
          guarded = function(draft) return draft.text ~= nil end,
          leaving = function()
            note()
            local ok = router.navigate("Question", "ask", {}, { again = true }):result { timeout = 20 }
            note()
            if not ok then router.stop "the draft is kept" end
          end,
        })

        router.register("Fast", "show", {
          info = { id = "integer" },
          url = "/fast/:id(int)",
          reuse = { by = "id" },
          build = function() note() return router.screen "Fast" end,
          update = note,
          after = note,
          closed = function() router.state.closed = (router.state.closed or 0) + 1 end,
        })
        router.register("Slow", "show", {
          build = function() note() return router.screen "Slow" end,
          intercept = function() note() router.sleep(math.random(1, 20)) note() end,
          after = function() note() router.sleep(math.random(1, 5)) note() end,
        })
        router.register("Broken", "show", {
          build = function() note() error "never built" end,
          intercept = function() note() router.sleep(1) note() end,
        })
        router.register("Login", "show", function() note() return router.screen "Login" end)
        router.register("Secret", "show", {
          build = function() note() return router.screen "Secret" end,
          intercept = function()
            note()
            local login = router.navigate("Login", "show", {}, { via = "presentWithNav", again = true })
            note()
            local ok = login:result { timeout = 30 }
            note()
            if not ok then router.stop "nobody came in" end
          end,
        })
        router.register("Draft", "show", {
          build = function() note() return router.screen("Draft", { text = "unsaved" }) end,
          after = function(nav) if math.random(4) == 1 then nav.screen.text = nil end end,
        })
        router.register("Question", "ask", {
          build = function() note() return router.screen "Question" end,
          via = "present",
        })
        for _, rule in ipairs { "leave", "wait", "join" } do
          router.register("Linked", rule, {
            url = "/linked/" .. rule .. "/:id(int)",
            atDialog = rule,
            build = function() note() return router.screen "Linked" end,
            via = "push",
          })
        end
        router.register("Gated", "show", {
          ready = "session",
          build = function() note() return router.screen "Gated" end,
        })
        router.registerTask("Work", "run", function(_, done)
          router.delay(math.random(1, 40), function() done(true, number) end)
        end)

        local promo = router.routing "/promo/:id(int)"
        local function show(request)
          router.navigate("Fast", "show", { id = request.parameters.id }, { again = true })
          return number
        end
        if number % 2 == 0 then promo:setAction(show) end
        router.export("act", function() promo:setAction(show) end)
        router.export("rest", function() promo:unsetAction(show) end)

        local heard = 0
        router.on("done", function() heard = heard + 1 end)
        \(ending)
        """
    }
}
