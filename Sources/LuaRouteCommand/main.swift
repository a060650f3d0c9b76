// SPDX-License-Identifier: MIT

print("luaroute")
