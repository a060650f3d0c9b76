#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes attempts to break out of the sandbox, each in a process of its own, and prints a table.
#
#   scripts/dev/attempts.sh [--seconds S] [table.tsv…]
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
cd "$root"

options=()
if [ "${1:-}" = --seconds ]; then
    options=("$1" "${2:?"usage: scripts/dev/attempts.sh [--seconds S] [table.tsv…]"}")
    shift 2
fi
[ $# -gt 0 ] || set -- Tests/Sandbox/*.tsv
swift build "${swift_options[@]}" --product SandboxAttempts >&2
exec "$(swift build "${swift_options[@]}" --show-bin-path)/SandboxAttempts" "${options[@]}" "$@"
