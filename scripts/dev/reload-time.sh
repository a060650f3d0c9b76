#!/usr/bin/env bash
# Measures what a save takes until 'luaroute watch' says 'accepted': 20 saves of a real file, by
# writing into it and by moving another one there, in turn. The 100 ms of settling are part of it.
#
#     scripts/dev/reload-time.sh [saves]
#
# LUAROUTE=path takes a command that is built, else one is built for release.
# Prints milliseconds: the median, the smallest and the largest. On a shared machine the largest
# says more about the machine.
set -euo pipefail
cd "$(dirname "$0")/../.."

saves=${1:-20}
command=${LUAROUTE:-}
if [[ -z $command ]]; then
  swift build "${release_options[@]}" -c release --product luaroute >&2
  command=$(swift build "${release_options[@]}" -c release --show-bin-path)/luaroute
fi
folder=$(mktemp -d)
trap 'exec 3<&-; kill "$watch" 2>/dev/null || true; rm -rf "$folder"' EXIT
cp -R scripts/podcast/. "$folder"
mkfifo "$folder/.lines"
"$command" watch "$folder" >"$folder/.lines" 2>/dev/null &
watch=$!
exec 3<"$folder/.lines"

# Reads up to a line with a word; none within 10 seconds is an end.
await() {
  local line
  while read -r -t 10 line <&3; do
    if [[ $line == *"$1"* ]]; then return; fi
  done
  echo "no line with '$1' was printed" >&2
  exit 1
}

await accepted
await passed
times=()
for ((save = 1; save <= saves; save++)); do
  # Nothing is under way when the next save is made.
  sleep 0.3
  { cat scripts/podcast/shows.lua; echo "-- $save"; } >"$folder/.next"
  start=$(date +%s%N)
  if ((save % 2)); then
    cat "$folder/.next" >"$folder/shows.lua"
  else
    mv "$folder/.next" "$folder/shows.lua"
  fi
  await accepted
  times+=($((($(date +%s%N) - start) / 10000)))
  await passed
done
printf '%s\n' "${times[@]}" | sort -n | awk '
  { times[NR] = $1 / 100 }
  END {
    median = NR % 2 ? times[(NR + 1) / 2] : (times[NR / 2] + times[NR / 2 + 1]) / 2
    printf "save to accepted: %.1f ms (%.1f to %.1f), %d saves\n", median, times[1], times[NR], NR
  }'
