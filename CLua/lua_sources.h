// SPDX-License-Identifier: MIT
//
// The sources of Lua, if the slot is filled. Otherwise, this file has no content. A translation
// unit that calls Lua must include this file last, because the macros of Lua's own sources stay
// defined.
#include "lua_headers.h"
#ifdef LUAROUTE_HAS_SLOT

// A constant with Lua's release, for tools that read binaries. It is declared without Lua's macro
// for linkage.
#define lua_ident luaroute_lua_ident
extern const char lua_ident[] __attribute__((visibility("hidden"), weak));

#ifdef __ELF__
LUAROUTE_LINK("m");
#endif

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wall"
#pragma clang diagnostic ignored "-Wextra"
#pragma clang diagnostic ignored "-Wconversion"

// The core of Lua.
#include "Lua/lzio.c"
#include "Lua/lctype.c"
#include "Lua/lopcodes.c"
#include "Lua/lmem.c"
#include "Lua/lundump.c"
#include "Lua/ldump.c"
#include "Lua/lstate.c"
#include "Lua/lgc.c"
#include "Lua/llex.c"
#include "Lua/lcode.c"
#include "Lua/lparser.c"
#include "Lua/ldebug.c"
#include "Lua/lfunc.c"
#include "Lua/lobject.c"
#include "Lua/ltm.c"
#include "Lua/lstring.c"
#include "Lua/ltable.c"
#include "Lua/ldo.c"
// Without optimization, the address sanitizer enlarges the frame of the interpreter from 3.4 KB to
// 17 KB, and `LUAI_MAXCCALLS` nested frames would not fit on a stack. The functions that the
// interpreter calls are still instrumented.
#if !defined(__OPTIMIZE__) && defined(__has_feature)
#if __has_feature(address_sanitizer)
#include "Lua/lvm.h"
__attribute__((no_sanitize("address"))) LUAI_FUNC void luaV_execute(lua_State *L, CallInfo *call);
#endif
#endif
#include "Lua/lvm.c"
#include "Lua/lapi.c"

// The auxiliary library, and the libraries whose functions scripts can call. `io`, `os`, `debug`,
// `package` and `coroutine` are not included.
#include "Lua/lauxlib.c"
#include "Lua/lbaselib.c"
#include "Lua/lmathlib.c"
#include "Lua/lstrlib.c"
#include "Lua/ltablib.c"
#include "Lua/lutf8lib.c"

#pragma clang diagnostic pop

#endif
