#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Counts the instructions of one benchmark, ours and the baseline's, and says where they go; or those of
# one size of a growth, which has no baseline.
#
#   scripts/dev/callgrind.sh N1 [lines]
#   scripts/dev/callgrind.sh G-remove:1000 [lines]
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
cd "$root"

name=${1:?"usage: scripts/dev/callgrind.sh NAME[:SIZE] [lines]"}
lines=${2:-25}
LUAROUTE_BENCHMARKS=1 build_release bench >&2
built=.build/release/bench
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# Valgrind gives up on debug information that is newer than it; the names are enough.
bench=$folder/bench
strip --strip-debug -o "$bench" "$built"

count() {  # who, options
    local who=$1 operations total
    shift
    operations=$(valgrind --tool=callgrind --callgrind-out-file="$folder/$who" \
        --toggle-collect=baseline_region "$bench" --callgrind "$name" "$@" 2>"$folder/log" \
        | sed -n 's/.*: \([0-9]*\) operations.*/\1/p') || true
    [ -n "$operations" ] || { cat "$folder/log" >&2; exit 1; }
    total=$(sed -n 's/^\(totals\|summary\): \([0-9]*\).*/\2/p' "$folder/$who" | head -n 1)
    printf '%-9s %s %10.1f instructions per operation\n' "$who" "$name" \
        "$(echo "$total $operations" | awk '{ print $1 / $2 }')"
}

case $name in *:*) ;; *) count baseline --baseline ;; esac
count ours
[ "$lines" -gt 0 ] || exit 0
callgrind_annotate "$folder/ours" | swift demangle --simplified \
    | sed -n '/file:function/,/^$/ { /%)/p }' | sed 's/ \[[^]]*\]$//' | cut -c 1-180 \
    | sed -n "1,${lines}p"
