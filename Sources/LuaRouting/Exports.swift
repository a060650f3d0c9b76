// SPDX-License-Identifier: MIT

// Findings, host manifests and capabilities are part of this library's interface.
@_exported public import RouteChecking
// Screens, values, operations, events and errors are part of this library's interface.
@_exported public import RouteCore
// Targets, actions, options, snapshots and explanations are part of this library's interface.
@_exported public import RouteEngine
// The errors of files are part of this library's interface.
@_exported public import RouteFiles
// URL patterns, origins, URL tables and explanations are part of this library's interface.
@_exported public import RouteURLs

// Budgets and profiles of scripts are part of this library's interface.
@_exported public import struct LuaVM.Budget
@_exported public import enum LuaVM.ScriptProfile
