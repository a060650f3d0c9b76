// SPDX-License-Identifier: MIT

import RouteCore
import Testing

@testable import RouteEngine

struct ArgumentTests {
    private final class Function: FunctionReference {
        func isSame(as other: any FunctionReference) -> Bool { self === other }
    }

    private static let long = Value(String(repeating: "a long text ", count: 100))
    private static let values: [Value] = [
        .nil, .boolean(true), .integer(.min), .number(-0.5), "", long,
        .string(ByteString(bytes: [0xFF])),
        [], [1, ["a": [2, 3], "b": .function(Function())], "x"],
        [
            "list": .table(InfoTable(list: Array(repeating: long, count: 40))),
            "object": .object(HostObject(1)),
        ],
    ]

    @Test("a stored argument equals its original value, whatever is stored next to it")
    func values() {
        let tree = ArgumentTree(Self.values)
        withExtendedLifetime(tree) {
            #expect(tree.count == Self.values.count)
            #expect(tree.values == Self.values)
            #expect(tree[Self.values.count].isNil)
        }
    }

    @Test("the total size of stored arguments is the sum of the sizes of their values")
    func size() {
        #expect(ArgumentTree(Self.values).size == Self.values.reduce(0) { $0 + $1.size })
        #expect(ArgumentTree().size == 0)
    }

    @Test("removing stored arguments leaves nothing behind")
    func reuse() {
        let tree = ArgumentTree(Self.values)
        tree.removeAll()
        tree.finish()
        #expect(tree.count == 0 && tree.values.isEmpty && tree[0].isNil)
    }

    @Test(
        "an argument is accepted if its value has the declared type",
        arguments: [
            (.any, .nil, false), (.any, 1, true), (.integer, 2.0, true), (.integer, 2.5, false),
            (.number, 1, true), (.name, "a b", false), (.name, "a-b", true),
            (.word(["a", "b"]), "b", true), (.word(["a", "b"]), "c", false),
            (.either([.name, .string]), "a b", false), (.either([.string, .name]), "a b", true),
            (.either([.function, .options([.optional("a", .name, text: "")])]), ["a": "b"], true),
            (.either([.function, .options([.optional("a", .name, text: "")])]), ["b": "b"], false),
            (.options([.required("a", .name, text: "")]), [:], false),
            (.options([.optional("a", .name, text: "")]), [1], false),
            (.list(.integer, [.optional("a", .name, text: "")]), [1, 2], true),
            (.list(.integer, []), [1, "x"], false),
            (
                .either([.list(.name, []), .options([.optional("a", .name, text: "")])]),
                ["a": "b"], true
            ),
        ] as [(APIType, Value, Bool)]
    )
    func accepts(_ type: APIType, _ value: Value, _ isAccepted: Bool) {
        let tree = ArgumentTree([value])
        withExtendedLifetime(tree) {
            var isRefused = false
            do throws(RouteError) {
                try ArgumentCheck.check(tree[0], type: type) { RouteError($1, $0) }
            } catch {
                isRefused = true
            }
            #expect(isRefused != isAccepted)
        }
    }
}
