# SPDX-License-Identifier: MIT
# Sourced by the other scripts: sets `root` and the options of builds, and installs what a build needs.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

say() { printf '%s\n' "$*" >&2; }

if ! command -v swift >/dev/null; then
    say "swift is missing: install Swift 6.2 or newer from https://swift.org/install"
    exit 69
fi

# Options of each `swift build`, `swift test` and `swift run` of this package for debugging: all of it.
# With another trait every module is compiled again.
swift_options=(--traits Development)
# Who builds once has no use for debug information, a tenth of the time. Elsewhere it stays: builds by hand
# share the folder, and other options compile everything again.
[ -z "${CI:-}" ] || swift_options+=(-debug-info-format none)
# Options of a build for release: the command alone, which clones only the dependency of its trait.
release_options=(--traits CommandLine)
# The same for the command luaroute-bundle, in a folder of its own.
bundle_options=(--traits BundleCommand)

# Whether the sources of Lua are in the slot, so that no library is needed.
have_slot() { [ -e "$root/CLua/Lua/lapi.c" ]; }

have_lua() {
    have_slot || [ -e /usr/include/lua5.4/lua.h ] || [ -e /usr/local/include/lua5.4/lua.h ] \
        || [ -e /usr/local/include/lua.h ] || [ -n "$keg" ]
}

# Homebrew has Lua 5.4 in a folder that compilers do not search.
find_keg() {
    keg=$(brew --prefix lua@5.4 2>/dev/null) && [ -d "$keg/include/lua5.4" ] || keg=
}
find_keg

# Whether the libraries of C and Lua can be linked in.
have_archives() {
    local name folder
    for name in libc.a $(have_slot || echo liblua5.4.a); do
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
        say "installing lua@5.4"
        brew install lua@5.4 >&2
        find_keg
    else
        say "Lua 5.4 is missing: install liblua5.4-dev, or fill CLua/Lua by scripts/dev/vendor-lua"
        exit 69
    fi
}

if ! have_lua && { ! install_lua || ! have_lua; }; then
    say "Lua 5.4 could not be installed: install it, or fill CLua/Lua by scripts/dev/vendor-lua"
    exit 69
fi
if ! have_slot && [ -n "$keg" ]; then
    keg_options=(-Xcc "-I$keg/include" -Xlinker "-L$keg/lib")
    swift_options+=("${keg_options[@]}")
    release_options+=("${keg_options[@]}")
    bundle_options+=("${keg_options[@]}")
fi

# Builds a product for release with the given options of `swift build`; the environment variable
# LUAROUTE_BENCHMARKS adds the product `bench`. The one build for release of all scripts: products
# that are built with the same options share the modules, which take most of the time.
build_release() {  # product
    local options=("${release_options[@]}")
    export LUAROUTE_SMALL=1
    options+=(--package-path "$root" -c release -debug-info-format none --product "$1")
    if [ "$(uname)" != Linux ]; then
        swift build "${options[@]}"
        return
    fi
    # The cryptography is C++, whose library is not linked in; its command is not started often.
    if [ "$1" = luaroute-bundle ]; then
        swift build "${options[@]}" --static-swift-stdlib
        return
    fi
    # Loading libraries takes longer than a run of one scenario: those of Swift are linked in, and
    # where the others have archives, these are too.
    options+=(--static-swift-stdlib)
    if have_archives; then
        # Not every C library can do it: the proof is that the product runs.
        swift build "${options[@]}" "${whole[@]}" \
            && { "$root/.build/release/$1" --help || [ $? -lt 126 ]; } && return
        say "not all libraries can be linked in: trying with those of Swift alone"
    fi
    swift build "${options[@]}"
}

# One file without libraries, which the system still loads at an address of its choice, and whose
# addresses it adjusts from a packed list. A path to libraries makes such a file crash. Functions
# in sections of their own are left out if nothing calls them, and are kept once if they are alike.
# The index for unwinding is left out: neither Swift's errors nor those of Lua unwind by it.
whole=(
    --disable-local-rpath
    -Xswiftc -static-executable -Xswiftc -use-ld=lld
    -Xswiftc -Xclang-linker -Xswiftc -static-pie
    -Xswiftc -Xfrontend -Xswiftc -function-sections
    -Xlinker --pack-dyn-relocs=relr -Xlinker --icf=all
    -Xlinker --no-eh-frame-hdr
)

# Shows the progress of a build, which it reads: on a terminal in one line, else each 10 seconds.
show_progress() {
    local line shown=$SECONDS
    while IFS= read -r line; do
        case $line in '['[0-9]*/*']'*) ;; *) continue ;; esac
        if [ -t 2 ]; then
            printf '\r\033[K%s' "${line:0:79}" >&2
        elif [ $((SECONDS - shown)) -ge 10 ]; then
            say "$line"
            shown=$SECONDS
        fi
    done
    if [ -t 2 ]; then printf '\r\033[K' >&2; fi
}
