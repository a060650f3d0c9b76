#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the benchmarks of Tests/Performance and runs them.
#
#   scripts/dev/bench.sh [names...] [--rounds N] [--json]
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

LUAROUTE_BENCHMARKS=1 build_release bench >&2
exec "$root/.build/release/bench" "$@"
