#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Tries public libraries in plain Lua under `vendor/`, and prints what works.
#
#   scripts/dev/libraries.sh FOLDER
#
# The folder has the libraries as they are published, by the paths of their modules:
# `middleclass.lua`, `lustache/renderer.lua`. How each is used says scripts/dev/libraries.tsv.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
folder=${1:?"usage: scripts/dev/libraries.sh FOLDER"}

cd "$root"
[ -n "${LUAROUTE:-}" ] || swift build "${swift_options[@]}" --product luaroute >&2
command=${LUAROUTE:-$(swift build "${swift_options[@]}" --show-bin-path)/luaroute}
bundle=$(mktemp -d)
trap 'rm -rf "$bundle"' EXIT
cp -r "$folder" "$bundle/vendor"

failed=0
while IFS=$'\t' read -r name module use text; do
    case $name in '#'* | '') continue ;; esac
    cat >"$bundle/main.lua" <<LUA
local M = require "vendor.$module"
router.start(function() return router.screen "Main" end)
router.export("use", function()
  local function use() $use end
  local text, expected = use(), [==[$text]==]
  if text ~= expected then error(("expected %s, got %s"):format(expected, text), 0) end
end)
LUA
    printf 'use main.lua\nscenario "%s"\n  call use\n' "$name" >"$bundle/main.scenario"
    if output=$("$command" run "$bundle" 2>&1); then
        echo "works  $name"
    else
        failed=1
        echo "fails  $name: $(grep -m 3 -E 'error|expected|vendor' <<<"$output" | tr '\n' ' ')"
    fi
done <scripts/dev/libraries.tsv
exit "$failed"
