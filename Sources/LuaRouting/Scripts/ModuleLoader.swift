// SPDX-License-Identifier: MIT

internal import LuaVM

/// Loads the files of a bundle into their environments, each file once.
///
/// The bundle's own files share a strict environment, in which an undefined global is an error.
/// Files under `vendor/` share another environment, in which an undefined global is nil. Libraries
/// require their own modules by names without `vendor.`.
struct ModuleLoader {
    let bundle: ScriptBundle
    let own: LuaEnvironment
    /// The names of the modules that are running, the outermost first.
    private(set) var running: [String] = []
    /// The files that scripts may require.
    ///
    /// After loading, no other files are read.
    private(set) var files: Set<String> = []
    /// The missing files of modules that scripts require by string literals.
    private(set) var missing: Set<String> = []
    /// Whether all files have been read.
    var isComplete = false

    init(bundle: ScriptBundle, own: LuaEnvironment) {
        self.bundle = bundle
        self.own = own
    }

    /// Returns the file of a module.
    ///
    /// For example, the file of `a.b` is `a/b.lua`.
    ///
    /// - Throws: `script` for a name that could lead out of the bundle, or that has more than 255
    ///   bytes.
    static func file(of module: String) throws(RouteError) -> String {
        guard module.utf8.count <= 255 else { throw .badModuleName(module) }
        let parts = module.split(separator: ".", omittingEmptySubsequences: false)
        let isSafe = parts.allSatisfy { part in
            !part.isEmpty
                && part.utf8.allSatisfy(\.isWordOrHyphen)
        }
        guard isSafe else { throw .badModuleName(module) }
        return parts.joined(separator: "/") + ".lua"
    }

    /// Returns the name of a module in the bundle.
    ///
    /// - Parameters:
    ///   - name: The name given to `require`.
    ///   - isVendor: Whether a file under `vendor/` requires the module. If so, modules of the
    ///     vendor folder have precedence.
    /// - Returns: The given name, or the same name with the prefix `vendor.`.
    /// - Throws: `script` for a name that could lead out of the bundle.
    func module(_ name: String, isVendor: Bool) throws(RouteError) -> String {
        guard isVendor else { return name }
        let sibling = "vendor/\(try Self.file(of: name))"
        if isComplete { return files.contains(sibling) ? "vendor.\(name)" : name }
        do {
            _ = try bundle.source(of: sibling)
        } catch  where error.reason == .missing {
            return name
        } catch {
            // The file exists; loading it will report the problem.
        }
        return "vendor.\(name)"
    }

    /// The names that `require` accepts without a file.
    ///
    /// `Prelude.lua` contains the same names.
    static let libraries: Set = ["coroutine", "math", "os", "string", "table", "utf8"]

    /// Returns whether a file belongs to a library.
    static func isVendor(_ file: String) -> Bool { file.hasBytePrefix("vendor/") }

    /// Compiles a file of the bundle.
    ///
    /// - Throws: ``BundleError`` if the file cannot be read, or the error of the compiler.
    mutating func compile(
        _ file: String,
        in lua: LuaState,
        _ environment: LuaEnvironment
    ) throws -> LuaFunction {
        let source = try bundle.source(of: file)
        files.insert(file)
        do throws(ScriptError) {
            return try lua.load(source, chunkName: file, environment: environment)
        } catch {
            throw MissingEnd.hint(on: error, in: source)
        }
    }

    /// Returns the modules that a file requires by string literals, as in `require "a.b"`, anywhere
    /// in the file.
    ///
    /// - Throws: ``BundleError`` if the file cannot be read.
    func names(in file: String) throws(BundleError) -> [String] {
        let source = try bundle.source(of: file)
        // Most files require nothing, so their tokens need not be read.
        guard source.contains(part: "require".utf8) else { return [] }
        let tokens = Array(LuaTokens(source))
        func text(_ index: Int) -> Substring {
            tokens.indices.contains(index)
                ? Substring(decoding: source[tokens[index].content], as: UTF8.self) : ""
        }
        return tokens.indices.compactMap { index in
            guard text(index) == "require", tokens[index].kind == .name,
                ![".", ":"].contains(text(index - 1))
            else { return nil }
            let name = index + (["(", ","].contains(text(index + 1)) ? 2 : 1)
            guard name < tokens.count, tokens[name].kind == .string, text(name + 1) != ".." else {
                return nil
            }
            return String(text(name))
        }
    }

    /// Records that a string literal names a missing file.
    ///
    /// This is an error only if the file is required.
    mutating func note(missing file: String) { missing.insert(file) }

    /// Records that a module begins to run.
    ///
    /// - Throws: `script` if the module is already running. The message contains the cycle.
    mutating func begin(_ module: String) throws(RouteError) {
        if let index = running.firstIndex(of: module) {
            throw .modulesWaitForEachOther(running[index...] + [module])
        }
        running.append(module)
    }

    /// Records that the innermost running module has ended.
    mutating func end() { running.removeLast() }
}

/// Reports that libraries created weak tables, which are created as ordinary tables instead.
final class WeakTables {
    /// Called for the first weak table while scripts load; nil once a table has been reported.
    var report: ((RouteError.Location?) -> Void)?

    func note(_ frame: inout CallFrame) {
        report?(frame.location(at: 2))
        report = nil
    }
}
