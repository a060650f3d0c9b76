// SPDX-License-Identifier: MIT

package import RouteCore

/// A Lua function.
package typealias ScriptFunction = any FunctionReference
