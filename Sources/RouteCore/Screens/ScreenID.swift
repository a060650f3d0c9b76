// SPDX-License-Identifier: MIT

/// The identity of a screen in one router.
///
/// The ``serial`` is what people see; it is never used again in a router's life. The slot
/// is where a tree keeps the screen, so that finding it costs one comparison.
public struct ScreenID: Hashable, Sendable {
    /// The number of the screen, from 1 on.
    public let serial: Int32

    package let slot: Int32

    package init(serial: Int32, slot: Int32) {
        self.serial = serial
        self.slot = slot
    }
}
