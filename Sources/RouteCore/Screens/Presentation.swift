// SPDX-License-Identifier: MIT

extension Screen {
    /// How a modal is presented.
    ///
    /// The tree asks whether it is contextual; the rest is for the host.
    public struct Presentation: Sendable, Equatable {
        /// A size, in the units of the host.
        public struct Size: Sendable, Equatable {
            /// The width.
            public var width: Double
            /// The height.
            public var height: Double

            /// Creates a size.
            public init(width: Double, height: Double) {
                self.width = width
                self.height = height
            }
        }

        /// Whether it covers only its presenter's place inside a container.
        public var isContextual: Bool

        // Most screens are no modals, and most modals are presented as usual: what a screen
        // carries for them, and copies, is nil.
        private(set) var shared: SharedDetails?

        private var details: Details {
            get { shared?.details ?? Details() }
            set { shared = newValue == Details() ? nil : SharedDetails(newValue) }
        }

        /// The form in which the modal is shown, by a name that the host knows.
        public var style: String {
            get { details.style }
            set { details.style = newValue }
        }

        /// The way in which the modal comes and goes, by a name that the host knows.
        public var transition: String {
            get { details.transition }
            set { details.transition = newValue }
        }

        /// The size that the modal would like to have, if it says one.
        public var size: Size? {
            get { details.size }
            set { details.size = newValue }
        }

        /// Whether a person cannot swipe the modal away.
        public var isModal: Bool {
            get { details.isModal }
            set { details.isModal = newValue }
        }

        /// What else the host is told: plain data.
        public var options: InfoTable {
            get { details.options }
            set { details.options = newValue }
        }

        init(isContextual: Bool, _ shared: SharedDetails?) {
            self.isContextual = isContextual
            self.shared = shared
        }

        /// Creates a presentation.
        ///
        /// - Parameters:
        ///   - isContextual: Whether the modal covers only its presenter's place inside a
        ///     container.
        ///   - style: The form in which it is shown.
        ///   - transition: The way in which it comes and goes.
        ///   - size: The size that it would like to have.
        ///   - isModal: Whether a person cannot swipe it away.
        ///   - options: What else the host is told: plain data.
        public init(
            isContextual: Bool = false,
            style: String = "fullScreen",
            transition: String = "coverVertical",
            size: Size? = nil,
            isModal: Bool = false,
            options: InfoTable = InfoTable()
        ) {
            self.isContextual = isContextual
            details = Details(
                style: style,
                transition: transition,
                size: size,
                isModal: isModal,
                options: options
            )
        }
    }
}

extension Screen.Presentation {
    fileprivate struct Details: Equatable {
        var style = "fullScreen"
        var transition = "coverVertical"
        var size: Size?
        var isModal = false
        var options = InfoTable()
    }

    /// Details behind one reference, which never change.
    final class SharedDetails: Sendable, Equatable {
        fileprivate let details: Details

        fileprivate init(_ details: Details) { self.details = details }

        static func == (left: SharedDetails, right: SharedDetails) -> Bool {
            left === right || left.details == right.details
        }
    }
}
