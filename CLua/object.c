// SPDX-License-Identifier: MIT
//
// Objects of the host, each with a type and an identifier. As long as a script references an
// object, its identifier is represented by the same value, so that `==` and table keys work.
//
// An object with cached members has its own metatable, whose `__index` is the table of the cached
// members. Lua reads this table without a call, so only missing members are requested from the
// host. A member whose value is nil is stored under the address of its name, a key that no script
// can use.
#include "internal.h"

static const char keptKey;     // in the object's own metatable: the cached members
static const char objectKey;   // in a table of cached members: the object

// Stack: ... -> ..., the object with the identifier, or nil.
static inline int pushKnown(
    LuaRouteContext *context, lua_State *L, uint32_t type, int64_t identifier) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, context->types[type - 1].cache);
    int kind = lua_rawgeti(L, -1, identifier);
    lua_copy(L, -1, -2);
    lua_settop(L, -2);
    return kind;
}

// MARK: Members

// Stack: object -> ..., members. Gives the object its own metatable.
static void beginKeeping(lua_State *L, LuaRouteHeld *object) {
    lua_getmetatable(L, 1);
    int shared = lua_gettop(L);
    lua_createtable(L, 0, 4);
    lua_pushvalue(L, 1);
    lua_rawsetp(L, -2, &objectKey);
    lua_rawgeti(L, LUA_REGISTRYINDEX, luaroute_context(L)->missing);
    lua_setmetatable(L, -2);
    lua_createtable(L, 0, 8);
    lua_pushnil(L);
    while (lua_next(L, shared)) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, -4);
    }
    lua_pushvalue(L, -2);
    lua_setfield(L, -2, "__index");
    lua_pushvalue(L, -2);
    lua_rawsetp(L, -2, &keptKey);
    lua_setmetatable(L, 1);
    lua_remove(L, shared);
    object->isKeeping = true;
    luaroute_context(L)->keeping += 1;
}

// Caches a member, and returns whether it is cached. Stack: object, key, ..., value -> same.
static bool keep(lua_State *L) {
    LuaRouteContext *context = luaroute_context(L);
    LuaRouteHeld *object = lua_touserdata(L, 1);
    int top = lua_gettop(L);
    int type = lua_type(L, top);
    if (lua_type(L, 2) != LUA_TSTRING || type > LUA_TSTRING || type == LUA_TLIGHTUSERDATA) return false;
    // Caching must never cause an error, so it requires that enough memory is available.
    if (object->kept == LUAROUTE_KEPT || context->used + LUAROUTE_KEEPING > luaroute_soft(context)) {
        return false;
    }
    context->exempt += 1;
    bool hasRoom = lua_checkstack(L, 8);
    if (hasRoom) {
        if (!object->isKeeping) {
            beginKeeping(L, object);
        } else {
            lua_getmetatable(L, 1);
            lua_rawgetp(L, -1, &keptKey);
        }
        lua_pushvalue(L, 2);
        if (type == LUA_TNIL) {
            // The name is referenced, so its address is not reused. Long strings with equal
            // contents have different addresses, so a nil member with a long name is not found.
            lua_rawsetp(L, -2, lua_topointer(L, 2));
        } else {
            lua_pushvalue(L, top);
            lua_rawset(L, -3);
        }
        object->kept += 1;
        lua_settop(L, top);
    }
    context->exempt -= 1;
    return hasRoom;
}

// Returns the object with which a metamethod was called.
static const LuaRouteHeld *checkObject(lua_State *L) {
    luaL_checktype(L, 1, LUA_TUSERDATA);
    const LuaRouteHeld *object = lua_touserdata(L, 1);
    bool isObject = lua_rawlen(L, 1) == sizeof *object && object->type > 0
        && object->type <= luaroute_context(L)->typeCount;
    luaL_argexpected(L, isObject, 1, "object");
    return object;
}

// Requests a member from the host. Stack: object, key -> ..., value.
static int ask(lua_State *L) {
    LuaRouteContext *context = luaroute_context(L);
    const LuaRouteHeld *object = checkObject(L);
    uint64_t forgotten = context->forgotten;
    int64_t instructions = context->instructions;
    bool isKept = false;
    void *box = context->types[object->type - 1].box;
    int count = luaroute_run(L, box, LUAROUTE_READ, &isKept);
    // The member may have been discarded while the host returned it. Reading a member costs the
    // same before and after it is cached, so that the cost does not depend on the collector.
    if (isKept && context->forgotten == forgotten && keep(L)) {
        context->instructions = instructions;
        luaroute_leave(L, count);
    }
    return count;
}

// Reads a member that is not in the table of cached members. Stack: members, key -> ..., value.
static int askMissing(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    if (lua_type(L, 2) == LUA_TSTRING && lua_rawgetp(L, 1, lua_topointer(L, 2)) != LUA_TNIL) {
        lua_pushnil(L);
        return luaroute_leave(L, 1);
    }
    lua_settop(L, 2);
    lua_rawgetp(L, 1, &objectKey);
    lua_replace(L, 1);
    return ask(L);
}

// Stack: ..., members -> same. Removes everything except the object, without allocating memory.
static void clearMembers(lua_State *L) {
    lua_pushnil(L);
    while (lua_next(L, -2)) {
        lua_pop(L, 1);
        if (lua_touserdata(L, -1) == &objectKey) continue;
        lua_pushvalue(L, -1);
        lua_pushnil(L);
        lua_rawset(L, -4);
    }
}

void luaroute_forget(LuaRouteContext *context, uint32_t type, int64_t identifier) {
    context->forgotten += 1;
    if (context->keeping == 0) return;
    context->isClean = false;
    lua_State *L = context->current;
    int top = lua_gettop(L);
    // Stack space: every caller has LUA_MINSTACK free slots.
    pushKnown(context, L, type, identifier);
    LuaRouteHeld *object = lua_touserdata(L, -1);
    if (object != NULL && object->kept > 0) {
        lua_getmetatable(L, -1);
        lua_rawgetp(L, -1, &keptKey);
        clearMembers(L);
        object->kept = 0;
    }
    lua_settop(L, top);
    luaroute_hide(L, 6);
}

// MARK: Types

// Creates the metatable that all tables of cached members share.
static void openMembers(LuaRouteContext *context, lua_State *L) {
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, askMissing);
    lua_setfield(L, -2, "__index");
    context->missing = luaroute_anchor(context, L);
}

// The metamethods of all types. The first argument is the object, which determines the type. No
// script can reach these functions.
static int answer(lua_State *L, int operation) {
    const LuaRouteHeld *object = checkObject(L);
    return luaroute_run_charged(
        L, luaroute_context(L)->types[object->type - 1].box, operation);
}

static int writeField(lua_State *L) { return answer(L, LUAROUTE_WRITE); }

static int describeObject(lua_State *L) { return answer(L, LUAROUTE_DESCRIBE); }

static int list(lua_State *L) { return answer(L, LUAROUTE_LIST); }

static void setFunction(lua_State *L, const char *field, lua_CFunction function) {
    lua_pushcfunction(L, function);
    lua_setfield(L, -2, field);
}

int luaroute_define_type(
    LuaRouteContext *context, const char *name, void *box, const int *operations) {
    lua_State *L = context->current;
    if (!lua_checkstack(L, 8)) return luaroute_fail_memory(context);
    size_t count = context->typeCount + 1;
    context->types = luaroute_resize_memory(
        context, context->types, context->typeCount * sizeof(LuaRouteType),
        count * sizeof(LuaRouteType));
    int cache = context->nextSlot;
    context->types[count - 1] = (LuaRouteType){cache, box};
    context->typeCount = count;
    context->nextSlot += 2;
    context->exempt += 1;
    if (count == 1) openMembers(context, L);
    luaroute_push_weak(L);
    lua_rawseti(L, LUA_REGISTRYINDEX, cache);
    lua_createtable(L, 0, 4);
    if (operations[LUAROUTE_READ]) setFunction(L, "__index", ask);
    if (operations[LUAROUTE_WRITE]) setFunction(L, "__newindex", writeField);
    if (operations[LUAROUTE_DESCRIBE]) setFunction(L, "__tostring", describeObject);
    if (operations[LUAROUTE_LIST]) luaroute_set_names(L, list);
    lua_pushstring(L, name);
    lua_setfield(L, -2, "__name");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_rawseti(L, LUA_REGISTRYINDEX, cache + 1);
    luaroute_hide(L, 8);
    context->exempt -= 1;
    return LUAROUTE_OK;
}

int luaroute_push_object(
    LuaRouteContext *context, lua_State *L, uint32_t type, int64_t identifier) {
    if (!lua_checkstack(L, 6)) return LUAROUTE_MEMORY;
    if (pushKnown(context, L, type, identifier) != LUA_TNIL) return LUAROUTE_OK;
    lua_pop(L, 1);
    context->exempt += 1;
    int cache = context->types[type - 1].cache;
    lua_rawgeti(L, LUA_REGISTRYINDEX, cache);
    luaroute_new_held(context, L, (LuaRouteHeld){.identifier = identifier, .type = type});
    lua_rawgeti(L, LUA_REGISTRYINDEX, cache + 1);
    lua_setmetatable(L, -2);
    // Stack: ..., cache, object
    lua_pushvalue(L, -1);
    lua_rawseti(L, -3, identifier);
    lua_remove(L, -2);
    luaroute_hide(L, 2);
    context->exempt -= 1;
    // The host is not notified of dropped objects here. It already references the values that must
    // still be pushed, and would release a value whose earlier object was dropped in the meantime.
    return LUAROUTE_OK;
}

int luaroute_holds_object(LuaRouteContext *context, uint32_t type, int64_t identifier) {
    lua_State *L = context->current;
    context->exempt += 1;
    bool hasRoom = lua_checkstack(L, 3);
    context->exempt -= 1;
    if (!hasRoom) return 1;
    int isHeld = pushKnown(context, L, type, identifier) != LUA_TNIL;
    lua_pop(L, 1);
    return isHeld;
}

int luaroute_object(lua_State *L, int index, uint32_t *type, int64_t *identifier) {
    // Scripts have no other userdata. Boxes are upvalues, which only `debug` could read.
    if (lua_type(L, index) != LUA_TUSERDATA) return 0;
    const LuaRouteHeld *object = lua_touserdata(L, index);
    *type = object->type;
    *identifier = object->identifier;
    return 1;
}
