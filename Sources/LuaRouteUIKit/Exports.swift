// SPDX-License-Identifier: MIT

#if canImport(UIKit)
    public import UIKit
#else
    public import UIKitStandin
#endif
