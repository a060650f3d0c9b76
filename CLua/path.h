// SPDX-License-Identifier: MIT
#ifndef LUAROUTE_PATH_H
#define LUAROUTE_PATH_H

#include "internal.h"

enum { LUAROUTE_PATH_TEXT = LUAROUTE_PATH_KEY };  // maximum number of bytes in a path

// The path to a value inside another value, in the form used in messages.
typedef struct LuaRouteText {
    char bytes[LUAROUTE_PATH_TEXT];
    size_t length;
} LuaRouteText;

void luaroute_put(LuaRouteText *text, const char *bytes, size_t length);
void luaroute_put_key(LuaRouteText *text, const uint8_t *bytes, size_t length);
void luaroute_put_integer(LuaRouteText *text, int64_t integer);
// Sets a message about the value at a path. If the path is empty, the message is about the
// transferred value itself.
int luaroute_blame(LuaRouteContext *context, const LuaRouteText *path, const char *what);

#endif
