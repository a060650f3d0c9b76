// SPDX-License-Identifier: MIT

internal import LuaVM

/// Creates the environments of scripts, and loads modules into them.
extension ScriptRuntime {
    /// Runs a module of the bundle for `require`.
    ///
    /// - Parameters:
    ///   - name: The name of the module.
    ///   - run: A function that calls the given chunk and stores its result.
    /// - Throws: The reason why the module cannot be loaded.
    func require(_ name: String, run: LuaFunction) throws {
        let file = try ModuleLoader.file(of: name)
        if state.modules.isComplete, !state.modules.files.contains(file) {
            throw state.modules.missing.contains(file)
                ? RouteError.noModule(name, file: file) : RouteError.moduleNotRead(name)
        }
        try state.modules.begin(name)
        defer { state.modules.end() }
        let chunk: LuaFunction
        do {
            chunk = try compile(file)
        } catch let error as BundleError where error.reason == .missing {
            throw RouteError.noModule(name, file: file)
        }
        _ = try lending.calling(as: .nobody) {
            try lua.call(run) { writer in
                writer.write(chunk)
                writer.write(name)
            }
        }
    }

    /// Compiles a file of the bundle.
    func compile(_ file: String) throws -> LuaFunction {
        do {
            let environment =
                ModuleLoader.isVendor(file) ? try vendorEnvironment() : state.modules.own
            return try state.modules.compile(file, in: lua, environment)
        } catch let error as ScriptError where error.kind == .syntax {
            state.hasSyntaxError = true
            throw error
        }
    }

    /// Compiles the files that scripts have not required yet, but name in string literals and may
    /// require later.
    ///
    /// The files that these files may require are compiled too.
    ///
    /// The files are not run. Afterwards, no other files are read.
    ///
    /// - Throws: The reason why an existing file cannot be compiled.
    func compileRequired() throws {
        var files = state.modules.files.sorted()
        while let file = files.popLast() {
            let isVendor = ModuleLoader.isVendor(file)
            for name in try state.modules.names(in: file)
            where !ModuleLoader.libraries.contains(name) {
                // A malformed name is an error only when it is required.
                guard let module = try? state.modules.module(name, isVendor: isVendor),
                    let other = try? ModuleLoader.file(of: module),
                    !state.modules.files.contains(other),
                    !state.modules.missing.contains(other)
                else { continue }
                do {
                    _ = try compile(other)
                    files.append(other)
                } catch let error as BundleError where error.reason == .missing {
                    state.modules.note(missing: other)
                }
            }
        }
        state.modules.isComplete = true
    }

    /// The chunk name of this library's own Lua code.
    ///
    /// Messages omit this name.
    static let preludeName = "=luaroute"

    /// Compiles Lua code of this library.
    func load(_ source: String) throws(ScriptError) -> LuaFunction {
        try lua.load(source, chunkName: Self.preludeName, environment: state.modules.own)
    }

    private static let prelude = CompiledChunk(
        PackageResources.Prelude_lua,
        chunkName: preludeName
    )

    /// Returns the environment of the files under `vendor/`.
    ///
    /// The environment is created for the first file under `vendor/`.
    private func vendorEnvironment() throws(ScriptError) -> LuaEnvironment {
        if let vendor = state.vendor { return vendor }
        let environment = try lua.makeEnvironment(strict: false, weak: weakTables.note)
        let shared = try lua.load(
            "local share = ...  router, os, print, require = share(_G, true)",
            chunkName: Self.preludeName,
            environment: environment
        )
        try lua.call(shared) { writer in
            if let sharesGlobals = state.sharesGlobals { writer.write(sharesGlobals) }
        }
        state.vendor = environment
        return environment
    }

    /// Adds `router`, `os`, `print` and `require` to the environment of the bundle.
    ///
    /// - Parameters:
    ///   - verbs: The table with the functions of `router`.
    ///   - log: The table with the functions of `router.log`.
    ///   - os: The table with the functions of `os`.
    ///   - print: The function `print`.
    /// - Throws: The error of the Lua state if there is not enough memory.
    func installEnvironment(
        verbs: LuaReference,
        log: LuaReference,
        os: LuaReference,
        print: LuaFunction
    ) throws {
        let prelude = try lua.load(Self.prelude, environment: state.modules.own)
        let freeze = try lua.makeFreezer()
        let settle = try lua.makeMetatableReader()
        state.settleMetatables = settle
        let find = try lua.makeFunction(name: "require") { [unowned self] frame in
            guard let name = frame.string(at: 0) else { throw frame.mismatch(at: 0, "string") }
            let isVendor = frame.boolean(at: 1) ?? false
            frame.returnString(try state.modules.module(name, isVendor: isVendor))
        }
        let load = try lua.makeFunction(name: "require") { [unowned self] frame in
            guard let name = frame.string(at: 0), let run = frame.function(at: 1) else {
                throw frame.mismatch(at: 0, "string")
            }
            try require(name, run: run)
        }
        var reader = try lua.call(prelude, results: 1) { writer in
            for functions in [verbs, log, os] { writer.write(functions) }
            writer.write(objects.state, 0)
            writer.write(objects.later, 0)
            objects.write(NextMatch.value, to: &writer)
            writer.write(print)
            writer.write(find)
            writer.write(load)
            writer.write(freeze)
            writer.write(settle)
        }
        if case .function(let share)? = reader.next() { state.sharesGlobals = share }
    }
}
