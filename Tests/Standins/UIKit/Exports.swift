// SPDX-License-Identifier: MIT

// The part of Foundation that UIKit exports and the host uses. The rest stays out: on a Mac it has a run loop
// and user activities of its own, in place of which the tests need those of this module.
@_exported public import class Foundation.Bundle
@_exported public import class Foundation.NSCoder
@_exported public import class Foundation.NSObject
@_exported public import struct Foundation.URL
