-- A script that does not load: two patterns match the same URLs.
local register, screen = router.register, router.screen

register("Product", "show", { url = "/products/:id", build = screen "Product" })
register("Order", "show", { url = "/products/:order", build = screen "Order" })
