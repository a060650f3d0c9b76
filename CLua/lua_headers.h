// SPDX-License-Identifier: MIT
//
// The headers of Lua 5.4: those in the slot `Lua` if it is filled, else those of the system, with the
// request to link its library. `lua_sources.h` includes the sources in the slot.
#ifndef LUAROUTE_LUA_HEADERS_H
#define LUAROUTE_LUA_HEADERS_H

// Asks the linker for a library. The request is in the object file, because a manifest cannot know
// whether the slot is filled: Swift's driver reads it from ELF files, the linker from Mach-O files.
#if defined(__ELF__)
#define LUAROUTE_LINK(library) \
    __asm__(".pushsection .swift1_autolink_entries,\"e\",%progbits\n" \
            ".asciz \"-l" library "\"\n" \
            ".popsection\n")
#elif defined(__MACH__)
#define LUAROUTE_LINK(library) __asm__(".linker_option \"-l" library "\"\n")
#else
#define LUAROUTE_LINK(library) _Static_assert(1, "")
#endif

#if __has_include("Lua/lapi.c")

#define LUAROUTE_HAS_SLOT
// As Lua's makefile defines for POSIX systems, and Debian for its library.
#define LUA_USE_POSIX
#define LUA_COMPAT_5_3
// The 200 nested C calls that Lua allows take more than 1 MiB of stack in an interpreter that is
// not optimized: each takes 3.4 KB then instead of 0.2. The main thread of a phone has 1 MiB.
#ifndef __OPTIMIZE__
#define LUAI_MAXCCALLS 160
#endif
// All of Lua is in one translation unit with no external symbols, so an app may contain another
// Lua.
#define LUA_CORE
#define LUA_LIB
#include "Lua/luaconf.h"
#undef LUA_API
#undef LUAI_FUNC
#undef LUAI_DDEC
#undef LUAI_DDEF
#define LUA_API static
#define LUAI_FUNC static
#define LUAI_DDEC(definition)
#define LUAI_DDEF static
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-function"
// lua.h is first because the other two need it.
#include "Lua/lua.h"

#include "Lua/lauxlib.h"
#include "Lua/lualib.h"
#pragma clang diagnostic pop

#elif __has_include(<lua5.4/lua.h>)

#include <lua5.4/lauxlib.h>
#include <lua5.4/lua.h>
#include <lua5.4/lualib.h>
LUAROUTE_LINK("lua5.4");

#elif __has_include(<lua.h>)

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
LUAROUTE_LINK("lua");

// Of the systems of Apple, only macOS has a library, with a package manager.
#elif defined(__ENVIRONMENT_MAC_OS_X_VERSION_MIN_REQUIRED__)
#error "Lua 5.4 is missing: run 'brew install lua@5.4', or fill CLua/Lua by scripts/dev/vendor-lua"
#elif defined(__APPLE__) || defined(__ANDROID__)
#error "this system has no Lua: fill CLua/Lua by scripts/dev/vendor-lua, or use the archive with Lua"
#else
#error "Lua 5.4 is missing: run 'apt-get install liblua5.4-dev', or fill CLua/Lua by scripts/dev/vendor-lua"
#endif

#if defined(LUA_VERSION_NUM) && LUA_VERSION_NUM != 504
#error "the Lua that was found is not 5.4: install the headers of 5.4, or fill CLua/Lua by scripts/dev/vendor-lua"
#endif

#endif
