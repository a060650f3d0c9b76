router.register("Login", "show", {
  find = "Login",
  build = router.screen "Login",
  via = "presentWithNav",
  result = "string",
})

router.interceptor("login", function()
  if router.state.user then return end
  local ok, user = router.navigate("Login", "show"):result()
  if not ok then router.stop "nobody is logged in" end
  router.state.user = user
end)
