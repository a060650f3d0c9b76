// SPDX-License-Identifier: MIT

package import RouteCore

/// A function of a script.
package typealias ScriptFunction = any FunctionReference
