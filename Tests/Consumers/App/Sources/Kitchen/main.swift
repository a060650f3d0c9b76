// SPDX-License-Identifier: MIT

let kitchen = try Kitchen(scripts: "scripts/tutorial/8-hot-reload")
let link = kitchen.open("kitchen://favorites")
kitchen.logIn("ann")
print(link.status.name, kitchen.router.treeNotation())
