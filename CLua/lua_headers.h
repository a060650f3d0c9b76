// SPDX-License-Identifier: MIT
//
// The headers of Lua 5.4. The folder `Lua`, called the slot, may be filled with the sources of Lua.
// In this case, the headers come from the slot, and `lua_sources.h` includes the sources.
// Otherwise, the headers come from the system, and the library of the system is linked.
#ifndef LUAROUTE_LUA_HEADERS_H
#define LUAROUTE_LUA_HEADERS_H

// Requests a library from the linker. The request is in the object file, because a package manifest
// cannot know whether the slot is filled. Swift's driver reads the request from ELF files, and the
// linker reads it from Mach-O files.
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
// These are the settings of Lua's makefile for POSIX systems, and of Debian's library.
#define LUA_USE_POSIX
#define LUA_COMPAT_5_3
// Lua allows 200 nested C calls. In an interpreter without optimization, they need more than 1 MiB
// of stack, because each call takes 3.4 KB instead of 0.2 KB. The main thread of a phone has 1 MiB.
#ifndef __OPTIMIZE__
#define LUAI_MAXCCALLS 160
#endif
// All of Lua is in one translation unit without external symbols, so that an app can contain
// another copy of Lua.
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
// lua.h comes first, because the other two headers need it.
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

// Of Apple's systems, only macOS can have a Lua library: one that a package manager has installed.
#elif defined(__ENVIRONMENT_MAC_OS_X_VERSION_MIN_REQUIRED__)
#error "Lua 5.4 is missing: run 'brew install lua@5.4', or fill CLua/Lua with scripts/dev/vendor-lua"
#elif defined(__APPLE__) || defined(__ANDROID__)
#error "this system has no Lua: fill CLua/Lua with scripts/dev/vendor-lua, or use the archive that includes Lua"
#else
#error "Lua 5.4 is missing: run 'apt-get install liblua5.4-dev', or fill CLua/Lua with scripts/dev/vendor-lua"
#endif

#if defined(LUA_VERSION_NUM) && LUA_VERSION_NUM != 504
#error "the headers that were found are not of Lua 5.4: install the headers of Lua 5.4, or fill CLua/Lua with scripts/dev/vendor-lua"
#endif

#endif
