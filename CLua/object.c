// SPDX-License-Identifier: MIT
//
// Objects of the host: a type and an identifier. One identifier is one value as long as a script
// holds it, so that `==` and table keys work.
#include "internal.h"

typedef struct Object {
    int64_t identifier;
    uint32_t type;
    bool isLive;
} Object;

// Stack: object. Registry: caches[type][identifier] is gone already, or holds a newer one.
static int collectObject(lua_State *L) {
    LuaRouteContext *context = luaroute_context(L);
    Object *object = lua_touserdata(L, 1);
    if (!object->isLive) return 0;
    object->isLive = false;
    context->objects -= 1;
    lua_rawgeti(L, LUA_REGISTRYINDEX, LUAROUTE_CACHES);
    lua_rawgeti(L, -1, object->type);
    bool hasNewer = lua_rawgeti(L, -1, object->identifier) != LUA_TNIL;
    lua_settop(L, 1);
    if (hasNewer) return 0;
    bool outer = context->isFinalizing;
    context->isFinalizing = true;
    context->host.releaseObject(context->host.owner, object->type, object->identifier);
    context->isFinalizing = outer;
    return 0;
}

static void setSlot(lua_State *L, const char *field, int slot) {
    if (slot == 0) return;
    lua_rawgeti(L, LUA_REGISTRYINDEX, slot);
    lua_setfield(L, -2, field);
}

int luaroute_define_type(
    LuaRouteContext *context, uint32_t type, const char *name, int index, int newIndex,
    int description) {
    lua_State *L = context->current;
    if (!lua_checkstack(L, 6)) return LUAROUTE_MEMORY;
    context->exempt += 1;
    lua_rawgeti(L, LUA_REGISTRYINDEX, LUAROUTE_TYPES);
    lua_createtable(L, 0, 6);
    setSlot(L, "__index", index);
    setSlot(L, "__newindex", newIndex);
    setSlot(L, "__tostring", description);
    lua_pushstring(L, name);
    lua_setfield(L, -2, "__name");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_pushcfunction(L, collectObject);
    lua_setfield(L, -2, "__gc");
    lua_rawseti(L, -2, type);
    lua_rawgeti(L, LUA_REGISTRYINDEX, LUAROUTE_CACHES);
    lua_createtable(L, 0, 0);
    lua_createtable(L, 0, 1);
    lua_pushstring(L, "v");
    lua_setfield(L, -2, "__mode");
    lua_setmetatable(L, -2);
    lua_rawseti(L, -2, type);
    lua_pop(L, 2);
    context->exempt -= 1;
    return LUAROUTE_OK;
}

int luaroute_push_object(
    LuaRouteContext *context, lua_State *L, uint32_t type, int64_t identifier) {
    if (!lua_checkstack(L, 6)) return LUAROUTE_MEMORY;
    lua_rawgeti(L, LUA_REGISTRYINDEX, LUAROUTE_CACHES);
    lua_rawgeti(L, -1, type);
    lua_remove(L, -2);
    // Stack: ..., cache
    if (lua_rawgeti(L, -1, identifier) != LUA_TNIL) {
        lua_remove(L, -2);
        return LUAROUTE_OK;
    }
    lua_pop(L, 1);
    context->exempt += 1;
    Object *object = lua_newuserdatauv(L, sizeof(Object), 0);
    *object = (Object){identifier, type, true};
    context->objects += 1;
    lua_rawgeti(L, LUA_REGISTRYINDEX, LUAROUTE_TYPES);
    lua_rawgeti(L, -1, type);
    lua_setmetatable(L, -3);
    lua_pop(L, 1);
    // Stack: ..., cache, object
    lua_pushvalue(L, -1);
    lua_rawseti(L, -3, identifier);
    lua_remove(L, -2);
    context->exempt -= 1;
    return LUAROUTE_OK;
}

int luaroute_object(lua_State *L, int index, uint32_t *type, int64_t *identifier) {
    // Scripts hold no other userdata: boxes are upvalues, which only `debug` could show.
    if (lua_type(L, index) != LUA_TUSERDATA) return 0;
    const Object *object = lua_touserdata(L, index);
    *type = object->type;
    *identifier = object->identifier;
    return 1;
}
