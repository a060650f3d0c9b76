// SPDX-License-Identifier: MIT

import LuaRouting

/// The examples of values.
extension TypeExamples {
    static let values: [Example] = [
        Example("Value", value),
        Example("InfoTable", infoTable),
        Example("ByteString", byteString),
        Example("HostObject", hostObject),
        Example("FunctionReference", functionReference),
        Example("ValueMismatch", valueMismatch),
        Example("ValueEnumeration", valueEnumeration),
    ]

    private static func value() {
        let value: Value = ["name": "Ann", "ages": [7, 9]]
        print(value.table?["name"].text ?? "", value)  // Ann {ages={7, 9}, name="Ann"}
    }

    private static func infoTable() {
        var info: InfoTable = ["id": 7]
        info["title"] = "News"
        print(info["id"].int ?? 0, info)  // 7 {id=7, title="News"}
    }

    private static func byteString() {
        let bytes = ByteString(bytes: [0x41, 0xFF])
        print(bytes.count, bytes.text ?? "not UTF-8")  // 2 not UTF-8
    }

    private static func hostObject() {
        let host = HeadlessHost()
        let session = HostObject("secret token")
        host.dependencies["session"] = .object(session)
        if case .object(let object)? = host.dependency("session") { print(object.base) }
        // secret token
    }

    private static func functionReference() throws {
        let host = HeadlessHost()
        let router = try startedRouter(host: host)
        var functions: [any FunctionReference] = []
        host.onTask = { task in
            if case .function(let function) = task.info["onEnd"] { functions.append(function) }
            return false
        }
        try router.call("play")
        try router.call("play")
        print(functions[0].isSame(as: functions[1]))  // true
    }

    private static func valueMismatch() {
        do {
            _ = try [Int](routeValue: [1, "two"])
        } catch {
            print(error.path)  // [2]
            print(error)  // bad field '[2]' (integer expected, got string)
        }
    }

    private static func valueEnumeration() throws {
        enum Size: String, ValueEnumeration { case small, large }
        let size = try Size(routeValue: "small")
        print(size)  // small
    }
}
