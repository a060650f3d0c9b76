#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Looks for inputs that break something, and keeps those in the corpus that the tests replay.
#
#   scripts/dev/fuzz.sh TARGET [seconds]
#
# What is found is minimised and named found-…; give it a better name when it is mended. What
# reaches code that nothing in the corpus reached is kept in .build/fuzz/corpus, and the best of
# it, small, in Tests/Corpus.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
cd "$root"

usage="usage: scripts/dev/fuzz.sh bundle|chunk|document|editor|notation|router|scenario|url|values [seconds]"
target=${1:?"$usage"}
seconds=${2:-60}
kept=Tests/Corpus/$target
[ -d "$kept" ] || { say "$usage"; exit 64; }

# How long an input may be; and of those that are committed, and how many they are. Depth and
# what grows with the square of a source are seen in long ones.
most=4096
case $target in bundle | chunk) most=300000 ;; esac
longest=1024
files=100
# How many seconds an input may take.
timeout=20
case $target in bundle) timeout=1 ;; esac

scratch=$root/.build/fuzz
corpus=$scratch/corpus/$target
found=$scratch/found/$target
mkdir -p "$corpus" "$found"

# The linker gold fails at what the sanitizers bring.
export LUAROUTE_FUZZING=1
build=(swift build -c release --package-path Tests/Fuzzing --scratch-path "$scratch"
    --sanitize address -Xswiftc -sanitize=fuzzer -Xcc -fsanitize=fuzzer-no-link)
[ "$(uname)" = Darwin ] || build+=(-Xswiftc -use-ld=lld)
"${build[@]}" >"$scratch/build.log" 2>&1 || { tail -n 40 "$scratch/build.log" >&2; exit 1; }
fuzz=("$("${build[@]}" --show-bin-path)/fuzz" "$target")

# Leaks are looked for by the targets themselves; a request of all memory is refused, as it is
# without the sanitizer.
export SWIFT_BACKTRACE=enable=no
export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1
common=(-max_len=$most -timeout=$timeout -rss_limit_mb=4096 -malloc_limit_mb=100000)
case $target in bundle | chunk) common+=(-dict=Tests/Fuzzing/lua.dict) ;; esac

status=0
"${fuzz[@]}" "${common[@]}" -max_total_time="$seconds" -use_value_profile=1 -print_final_stats=1 \
    -artifact_prefix="$found/" "$corpus" "$kept" || status=$?

# A file that breaks something is made as short as it goes and still does.
for file in "$found"/*-*; do
    [ -e "$file" ] || continue
    name=found-$(basename "$file" | cut -c 1-14)
    "${fuzz[@]}" "${common[@]}" -minimize_crash=1 -max_total_time=60 \
        -exact_artifact_path="$kept/$name" "$file" >"$scratch/minimise.log" 2>&1 || true
    [ -e "$kept/$name" ] || cp "$file" "$kept/$name"
    rm "$file"
    say "found: $kept/$name"
done
[ "$status" -eq 0 ] || exit "$status"

# The fewest files that reach as much; what they do not need goes from the corpus, but for those
# with a name of their own.
best=$(mktemp -d)
trap 'rm -rf "$best"' EXIT
"${fuzz[@]}" "${common[@]}" -merge=1 "$best" "$kept" "$corpus" >"$scratch/merge.log" 2>&1
rm -rf "$corpus"
cp -a "$best" "$corpus"
find "$kept" -type f -name "$(printf '[0-9a-f]%.0s' {1..40})" -delete
# Of so many, each n-th by size: short ones and long ones.
count=$(find "$corpus" -type f | wc -l)
find "$corpus" -type f -size -"$longest"c -printf '%s %p\n' | sort -n \
    | awk -v step=$((count / files + 1)) 'NR % step == 0 { print $2 }' \
    | xargs -r cp -t "$kept"
grep -E 'MERGE-OUTER: .*(new|coverage)|cov:' "$scratch/merge.log" | tail -n 1 >&2 || true
say "$kept: $(find "$kept" -type f | wc -l) files"
