// SPDX-License-Identifier: MIT

print("nothing is shown")
