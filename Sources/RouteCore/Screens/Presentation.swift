// SPDX-License-Identifier: MIT

extension Screen {
    /// The way in which a modal is presented.
    ///
    /// The tree uses only ``isContextual``; the other properties are for the host.
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

        /// Whether the modal covers only its presenter's area inside a container.
        public var isContextual: Bool

        // Most screens are not modals, and most modals have the default presentation. The shared
        // part is then nil and uses no memory.
        private(set) var shared: SharedDetails?

        private var details: Details {
            get { shared?.details ?? Details() }
            set { shared = newValue == Details() ? nil : SharedDetails(newValue) }
        }

        /// The style of the presentation, a name that the host defines.
        public var style: String {
            get { details.style }
            set { details.style = newValue }
        }

        /// The transition, a name that the host defines.
        public var transition: String {
            get { details.transition }
            set { details.transition = newValue }
        }

        /// The preferred size, if the modal has one.
        public var size: Size? {
            get { details.size }
            set { details.size = newValue }
        }

        /// Whether the user is prevented from swiping the modal away.
        public var isModal: Bool {
            get { details.isModal }
            set { details.isModal = newValue }
        }

        /// Further options for the host, which are plain data.
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
        ///   - isContextual: Whether the modal covers only its presenter's area inside a container.
        ///   - style: The style of the presentation.
        ///   - transition: The transition.
        ///   - size: The preferred size.
        ///   - isModal: Whether the user is prevented from swiping the modal away.
        ///   - options: Further options for the host, which are plain data.
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
    /// An attribute of a presentation.
    ///
    /// The raw value is the name of the attribute in scripts, snapshots and scenarios.
    package enum Attribute: String, CaseIterable {
        case style, transition, size, modal, options
    }

    /// The value of an attribute; nil for a size that is not set.
    package subscript(attribute: Attribute) -> Value {
        switch attribute {
        case .style: Value(style)
        case .transition: Value(transition)
        case .size:
            size.map { ["width": .number($0.width), "height": .number($0.height)] } ?? .nil
        case .modal: .boolean(isModal)
        case .options: .table(options)
        }
    }

    /// The attributes that differ from the default presentation, in the order of ``Attribute``.
    package var attributes: [(name: String, value: Value)] {
        if shared == nil { return [] }
        let usual = Self()
        return Attribute.allCases.compactMap { attribute in
            let value = self[attribute]
            return value == usual[attribute] ? nil : (attribute.rawValue, value)
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

    /// The immutable details of a presentation, which copies share by reference.
    final class SharedDetails: Sendable, Equatable {
        fileprivate let details: Details

        fileprivate init(_ details: Details) { self.details = details }

        static func == (left: SharedDetails, right: SharedDetails) -> Bool {
            left === right || left.details == right.details
        }
    }
}
