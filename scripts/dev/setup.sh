# SPDX-License-Identifier: MIT
# Sourced by the other scripts: sets `root`, and installs what a build needs.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

say() { printf '%s\n' "$*" >&2; }

if ! command -v swift >/dev/null; then
    say "swift is missing: install Swift 6.2 or newer from https://swift.org/install"
    exit 69
fi

have_lua() {
    [ -e /usr/include/lua5.4/lua.h ] || [ -e /usr/local/include/lua.h ] \
        || [ -e /opt/homebrew/include/lua.h ]
}

# Whether the libraries of C and Lua can be linked in.
have_archives() {
    local name folder
    for name in libc.a liblua5.4.a; do
        for folder in "/usr/lib/$(uname -m)-linux-gnu" /usr/lib64 /usr/lib /usr/local/lib; do
            [ -e "$folder/$name" ] && continue 2
        done
        return 1
    done
}

install_lua() {
    if command -v apt-get >/dev/null; then
        local as_root=
        if [ "$(id -u)" -ne 0 ]; then
            as_root=sudo
            if ! command -v sudo >/dev/null; then
                say "the headers of Lua 5.4 are missing: as root, apt-get install liblua5.4-dev"
                exit 69
            fi
        fi
        say "installing liblua5.4-dev"
        $as_root apt-get update -qq >&2 || say "apt-get update failed; trying with what is known"
        $as_root env DEBIAN_FRONTEND=noninteractive \
            apt-get install -y -qq --no-install-recommends liblua5.4-dev >&2
    elif command -v brew >/dev/null; then
        say "installing lua"
        brew install lua@5.4 >&2
    else
        say "the headers of Lua 5.4 are missing: install the package liblua5.4-dev"
        exit 69
    fi
}

if ! have_lua && { ! install_lua || ! have_lua; }; then
    say "the headers of Lua 5.4 could not be installed: install the package liblua5.4-dev"
    exit 69
fi
