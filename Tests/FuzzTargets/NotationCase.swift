// SPDX-License-Identifier: MIT

internal import LuaRouting
internal import RouteCore

/// A text that is read as a tree, as an expectation and as a value.
struct NotationCase {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func faults() -> [String] {
        var faults: [String] = []
        for skipsComments in [false, true] {
            for mode in [NotationParser.Mode.tree, .pattern] {
                var parser = NotationParser(bytes)
                parser.skipsComments = skipsComments
                do throws(NotationError) {
                    let tree = try parser.parseTree(mode)
                    faults += check(tree, mode)
                    if tree.range != 0..<parser.position { faults.append("the range is another") }
                } catch {
                    faults += check(error)
                }
            }
        }
        return faults + valueFaults()
    }

    private func check(_ error: NotationError) -> [String] {
        let range = error.range
        return error.message.isEmpty || range.lowerBound < 0 || range.upperBound > bytes.count
            ? ["'\(error.message)' has the range \(range) of \(bytes.count) bytes"] : []
    }

    private func check(_ notation: TreeNotation, _ mode: NotationParser.Mode) -> [String] {
        var tree = ScreenTree()
        var classes = ScreenClasses()
        classes.declare(ScreenClass("All", kind: .container, shows: .all, max: 3))
        classes.declare(ScreenClass("Selected", kind: .container, shows: .selected))
        let printer = NotationPrinter(classes: classes)
        do {
            try tree.setRoot(notation.build(into: &tree, classes: classes), of: "main")
        } catch let error as NotationError {
            return check(error) + tree.checkInvariants()
        } catch {
            return ["a tree that was built is no root: \(error)"]
        }
        var faults = tree.checkInvariants()
        let text = printer.tree(tree, window: "main")
        do {
            let again = try TreeNotation(text)
            var other = ScreenTree()
            try other.setRoot(again.build(into: &other, classes: classes), of: "main")
            let otherText = printer.tree(other, window: "main")
            if otherText != text { faults.append("'\(text)' is read as '\(otherText)'") }
            let mismatch = try TreeNotation(text, .pattern)
                .mismatch(in: tree, window: "main", printer: printer)
            if let mismatch { faults.append("'\(text)' does not fit itself: \(mismatch.reason)") }
            if mode == .tree,
                let mismatch = notation.mismatch(in: other, window: "main", printer: printer)
            {
                faults.append("the text does not fit its tree '\(text)': \(mismatch.reason)")
            }
        } catch {
            faults.append("'\(text)' is printed and not read: \(error)")
        }
        return faults
    }

    private func valueFaults() -> [String] {
        var parser = NotationParser(bytes)
        let value: Value
        do throws(NotationError) {
            value = try parser.parseValue()
        } catch {
            return check(error)
        }
        let text = NotationPrinter().value(value)
        var other = NotationParser(Array(text.utf8))
        guard let again = try? other.parseValue(), (try? other.expectEnd()) != nil else {
            return ["'\(text)' is printed and not read as a value"]
        }
        return again == value ? [] : ["the value '\(text)' is read as another"]
    }
}
