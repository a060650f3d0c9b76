# SPDX-License-Identifier: MIT
# Sourced by scripts/test and scripts/check: runs numbered steps, and has those that both run.

logs=$root/.build/logs
mkdir -p "$logs"
number=0
# Lines that say why a step failed.
reasons='^✘|error:|warning:|^SUMMARY: '

# Runs a step, which writes to a log. If it fails, prints the lines of the log that say why.
step() {  # title, command…
    local title=$1 log start=$SECONDS
    shift
    number=$((number + 1))
    log=$logs/${name:-$number}.log
    say "== $number. $title"
    # What it sets is its own.
    if ("$@") >"$log" 2>&1; then
        sed -n '/^skipped: /p; /^sweep: /p; /^time: /p; /^size: /p; ${/passed/p;}' "$log" >&2
        say "   passed ($((SECONDS - start)) s)"
        return
    fi
    if grep -qaE "$reasons" "$log"; then
        grep -aE "$reasons" "$log" | sort -u | head -n 40 >&2
    else
        tail -n 40 "$log" >&2
    fi
    say "== step $number failed: $title (full log: $log)"
    case "${name:-} ${LUAROUTE_SWEEPS:-}" in unit\ */* | slot\ */* | memory\ */*)
        say "   The sweeps ran the share $LUAROUTE_SWEEPS of their cases. To repeat them: LUAROUTE_SWEEPS=$LUAROUTE_SWEEPS $0 ${name:-}" ;;
    esac
    exit 1
}

# Runs a part of a step, and prints its times, which `step` shows.
timed() {  # name of the part, command…
    local TIMEFORMAT="time: $1 %0R s, processor time %0U s"
    shift
    time "$@"
}

# Checks the layout of files, or of those in folders.
format() {
    swift format lint --strict --configuration .swift-format --parallel --recursive "$@"
}

# A file is compiled once, and warns once: touched, it warns until it is corrected.
build() {
    local log=$logs/build.log files
    timed build swift build "${swift_options[@]}" --build-tests 2>&1 | tee "$log"
    [ "${PIPESTATUS[0]}" -eq 0 ] || return 1
    files=$(sed -n "s|^\($root/[^:]*\):[0-9]*:[0-9]*: warning: .*|\1|p" "$log" \
        | grep -v "^$root/\.build/" | sort -u)
    [ -z "$files" ] && return
    printf '%s\n' "$files" | while IFS= read -r file; do touch "$file"; done
    return 1
}

lua_syntax() {
    local luac
    luac=$(command -v luac5.4 || command -v luac) || { echo "skipped: luac is not installed"; return; }
    case $("$luac" -v 2>&1) in
        "Lua 5.4"*) ;;
        *) echo "skipped: the installed luac does not belong to Lua 5.4"; return ;;
    esac
    # Those in `broken`, and of that name, are so on purpose.
    find Sources scripts Tests -name .build -prune -o -path '*/broken/*' -prune \
        -o -name broken.lua -prune -o -name '*.lua' -print0 | xargs -0 -n 1 "$luac" -p
}
