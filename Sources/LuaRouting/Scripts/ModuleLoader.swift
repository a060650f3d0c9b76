// SPDX-License-Identifier: MIT

internal import LuaVM

/// Loads the chunks of a bundle, each once, into their environment.
///
/// The bundle's own chunks share a strict environment, in which an undefined global is an error;
/// chunks under `vendor/` share another environment, in which it is nil. Libraries require their
/// own modules by their names without `vendor.`.
struct ModuleLoader {
    let bundle: ScriptBundle
    let own: LuaEnvironment
    /// The modules that are being run, the outermost first.
    private(set) var running: [String] = []
    /// The files that scripts may require: after loading, no other file is read.
    private(set) var files: Set<String> = []
    /// The files that literal names mean and that do not exist.
    private(set) var missing: Set<String> = []
    /// Whether all files have been read.
    var isComplete = false

    init(bundle: ScriptBundle, own: LuaEnvironment) {
        self.bundle = bundle
        self.own = own
    }

    /// The file of a module: `a.b` is `a/b.lua`.
    ///
    /// - Throws: `script` for a name that could leave the bundle, or of more than 255 bytes.
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

    /// The name of a module in the bundle.
    ///
    /// - Parameters:
    ///   - name: The name given to `require`.
    ///   - isVendor: Whether a chunk under `vendor/` requires it: modules of the vendor folder have
    ///     precedence.
    /// - Returns: The name, or the name of the same module under `vendor/`.
    /// - Throws: `script` for a name that could leave the bundle.
    func module(_ name: String, isVendor: Bool) throws(RouteError) -> String {
        guard isVendor else { return name }
        let sibling = "vendor/\(try Self.file(of: name))"
        if isComplete { return files.contains(sibling) ? "vendor.\(name)" : name }
        do {
            _ = try bundle.source(of: sibling)
        } catch  where error.reason == .missing {
            return name
        } catch {
            // Loading it says what is wrong.
        }
        return "vendor.\(name)"
    }

    /// The names that `require` accepts without a file; the prelude has the same names.
    static let libraries: Set = ["coroutine", "math", "os", "string", "table", "utf8"]

    /// Whether a file is a chunk of a library.
    static func isVendor(_ file: String) -> Bool { file.hasBytePrefix("vendor/") }

    /// Compiles a file of the bundle.
    ///
    /// - Throws: ``BundleError`` if it cannot be read; the error of the compiler.
    mutating func compile(
        _ file: String,
        in lua: LuaState,
        _ environment: LuaEnvironment
    ) throws -> LuaFunction {
        let source = try bundle.source(of: file)
        files.insert(file)
        return try lua.load(source, chunkName: file, environment: environment)
    }

    /// Returns the modules that a file requires by literal names, as in `require "a.b"`, in all its
    /// functions.
    ///
    /// - Throws: ``BundleError``.
    func names(in file: String) throws(BundleError) -> [String] {
        let source = try bundle.source(of: file)
        // Most files require nothing, and their tokens need not be read.
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

    /// Records that a literal name refers to a missing file, which is an error only when it is
    /// required.
    mutating func note(missing file: String) { missing.insert(file) }

    /// Records that a module begins to run.
    ///
    /// - Throws: `script` if it is running already; the message names the cycle.
    mutating func begin(_ module: String) throws(RouteError) {
        if let index = running.firstIndex(of: module) {
            throw .modulesWaitForEachOther(running[index...] + [module])
        }
        running.append(module)
    }

    /// Records that the module that began last has run.
    mutating func end() { running.removeLast() }
}

/// The weak tables of libraries, which are created as ordinary tables.
final class WeakTables {
    /// Reports only the first one of a load.
    var report: ((RouteError.Location?) -> Void)?

    func note(_ frame: inout CallFrame) {
        report?(frame.location(at: 2))
        report = nil
    }
}
