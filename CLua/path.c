// SPDX-License-Identifier: MIT
//
// Paths to values inside other values, for messages.
#include "path.h"

#include <stdio.h>

enum { KEY_TEXT = 40 };  // maximum number of bytes of a key in a message

void luaroute_put(LuaRouteText *text, const char *bytes, size_t length) {
    if (length > LUAROUTE_PATH_TEXT - text->length) length = LUAROUTE_PATH_TEXT - text->length;
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
}

static bool isIdentifier(const uint8_t *bytes, size_t length) {
    if (length == 0 || (bytes[0] >= '0' && bytes[0] <= '9')) return false;
    for (size_t i = 0; i < length; i += 1) {
        uint8_t byte = bytes[i], letter = byte | 0x20;
        bool isWord = (letter >= 'a' && letter <= 'z') || (byte >= '0' && byte <= '9');
        if (!isWord && byte != '_') return false;
    }
    return true;
}

void luaroute_put_key(LuaRouteText *text, const uint8_t *bytes, size_t length) {
    bool isWhole = length <= KEY_TEXT;
    if (!isWhole) {
        length = KEY_TEXT;
        while (length > 0 && (bytes[length] & 0xc0) == 0x80) length -= 1;
    }
    if (isIdentifier(bytes, length)) {
        if (text->length > 0) luaroute_put(text, ".", 1);
        luaroute_put(text, (const char *)bytes, length);
        if (!isWhole) luaroute_put(text, "...", 3);
        return;
    }
    luaroute_put(text, "[\"", 2);
    for (size_t i = 0; i < length; i += 1) {
        char escape[8];
        if (bytes[i] < 0x20 || bytes[i] == 0x7f) {
            luaroute_put(text, escape, (size_t)snprintf(escape, sizeof escape, "\\%03d", bytes[i]));
        } else {
            if (bytes[i] == '"' || bytes[i] == '\\') luaroute_put(text, "\\", 1);
            luaroute_put(text, (const char *)&bytes[i], 1);
        }
    }
    luaroute_put(text, isWhole ? "\"]" : "...\"]", isWhole ? 2 : 5);
}

void luaroute_put_integer(LuaRouteText *text, int64_t integer) {
    char digits[32];
    luaroute_put(text, digits, (size_t)snprintf(digits, sizeof digits, "[%lld]", (long long)integer));
}

size_t luaroute_path_key(const uint8_t *bytes, size_t length, int isFirst, char *result) {
    LuaRouteText text = {.length = 0};
    // Names after the first are preceded by a dot.
    if (!isFirst) luaroute_put(&text, "?", 1);
    luaroute_put_key(&text, bytes, length);
    memcpy(result, text.bytes + !isFirst, text.length - !isFirst);
    return text.length - !isFirst;
}

int luaroute_blame(LuaRouteContext *context, const LuaRouteText *path, const char *what) {
    if (path->length == 0) return luaroute_fail(context, LUAROUTE_CONVERSION, "%s", what);
    return luaroute_fail(
        context, LUAROUTE_CONVERSION, "bad field '%.*s%s' (%s)", (int)path->length, path->bytes,
        path->length == LUAROUTE_PATH_TEXT ? "..." : "", what);
}
