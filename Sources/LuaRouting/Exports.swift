// SPDX-License-Identifier: MIT

// Findings, manifests of hosts and capabilities are part of it too.
@_exported public import RouteChecking
// Screens, values, operations, events and errors are part of this library's own interface.
@_exported public import RouteCore
// Targets, actions, options, snapshots and explanations are part of it too.
@_exported public import RouteEngine
// The errors of files are part of it too.
@_exported public import RouteFiles
// URL patterns, origins, tables and explanations are part of it too.
@_exported public import RouteURLs

// The budgets and rights of scripts are part of the API too.
@_exported public import struct LuaVM.Budget
@_exported public import enum LuaVM.ScriptProfile
