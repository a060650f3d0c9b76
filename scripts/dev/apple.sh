#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Compiles the libraries for Apple's systems, without a Mac and without an SDK.
#
#   scripts/dev/apple.sh [TARGET…]      # such as arm64-apple-ios16.0; by default the oldest of each system
#
# The textual interfaces of the standard library have Apple's availability: those of the toolchain for Linux
# are copied with another target. The C headers of Darwin are those of the wheel `ziglang`, which `pip`
# downloads. Foundation and CryptoKit are stand-ins of the few names that are used, and UIKit is that of
# the tests. Objects are compiled too: they must need no symbol that old systems lack though it
# type-checks. C is compiled with the sources of Lua, if LUAROUTE_LUA_SOURCES or the slot has them.
#
# Nothing is linked, and nothing runs. What is not here is skipped, with a line that says so.
set -euo pipefail
package=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(arm64-apple-ios16.0 arm64-apple-macosx13.0 arm64-apple-tvos16.0
    arm64-apple-watchos9.0 arm64-apple-xros1.0)
work=$package/.build/apple
lib=$(dirname "$(dirname "$(realpath "$(command -v swiftc)")")")/lib/swift
# Lowest first.
modules="SystemGaps LuaVM RouteCore RouteURLs RouteFiles RouteEngine RouteChecking LuaRouting LuaRouteFoundation
    LuaRouteWatching LuaRouteObservation LuaRouteBundles UIKitStandin LuaRouteUIKit RouteTypes ScenarioLanguage ScenarioKit"

skip() { echo "skipped: $1: Apple's systems are not checked"; exit; }

[ -e "$lib/linux/Swift.swiftmodule/x86_64-unknown-linux-gnu.private.swiftinterface" ] \
    || skip "this toolchain has no textual interfaces for Linux"
mkdir -p "$work/wheel"
ls "$work"/wheel/ziglang-*.whl >/dev/null 2>&1 || python3 -m pip download -q --no-deps -d "$work/wheel" ziglang \
    || skip "the wheel ziglang is missing and cannot be downloaded with pip"

# 1. The headers of Darwin, with a module map of the part that the sources use.
if [ ! -e "$work/sdk/usr/include/module.modulemap" ]; then
    mkdir -p "$work/sdk/usr/include" "$work/sdk/usr/lib/swift"
    python3 - "$work" <<'P'
import glob, os, sys, zipfile
work = sys.argv[1]
wheel = zipfile.ZipFile(glob.glob(work + "/wheel/*.whl")[0])
prefix = "ziglang/lib/libc/include/any-darwin-any/"
for name in wheel.namelist():
    if name.startswith(prefix) and not name.endswith("/"):
        path = f"{work}/sdk/usr/include/{name[len(prefix):]}"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        open(path, "wb").write(wheel.read(name))
P
    for header in sys/types stddef stdint stdlib stdio string errno time sys/time unistd fcntl dirent \
        signal sys/event sys/stat sys/mman sys/file sys/ioctl sys/wait sys/resource sys/sysctl sys/param sys/mount \
        poll pthread dlfcn limits locale math os/lock termios; do
        echo "#include <$header.h>"
    done >"$work/sdk/usr/include/darwin_all.h"
    printf 'module Darwin [system] {\n  header "darwin_all.h"\n  export *\n}\n' \
        >"$work/sdk/usr/include/module.modulemap"
fi

# 2. The interfaces of the standard library, with Apple's target.
if [ ! "$work/res/done" -nt "${BASH_SOURCE[0]}" ]; then
    # A module that was built from an older interface is not built again.
    rm -rf "$work/res" "$work/cache"
    python3 - "$lib" "$work/res" <<'P'
import os, re, shutil, sys
lib, root = sys.argv[1:]
names = "Swift _Concurrency _StringProcessing _RegexParser Synchronization Observation SwiftOnoneSupport"
for platform, triple, file in (
    ("iphoneos", "arm64-apple-ios18.0", "arm64-apple-ios"),
    ("macosx", "arm64-apple-macosx15.0", "arm64-apple-macos"),
    ("appletvos", "arm64-apple-tvos18.0", "arm64-apple-tvos"),
    ("watchos", "arm64-apple-watchos11.0", "arm64-apple-watchos"),
    ("xros", "arm64-apple-xros2.0", "arm64-apple-xros"),
):
    for name in names.split():
        text = open(f"{lib}/linux/{name}.swiftmodule/x86_64-unknown-linux-gnu.private.swiftinterface").read()
        text = text.replace("-target x86_64-unknown-linux-gnu", "-target " + triple, 1)
        text = re.sub(r"^import Glibc$", "import Darwin", text, flags=re.M)
        # The body of Linux's lock.
        text = text.replace("_swift_stdlib_gettid()", "0 as Swift.UInt32")
        # The bodies of Float80 need functions of x86.
        text = text.replace("self = _stdlib_remainderl(self, other)", "self = other")
        text = text.replace("self = _stdlib_squareRootl(self)", "self = .zero")
        # Bodies to deploy back are not in these interfaces. What is available does not depend on it.
        text = re.sub(r"^ *@backDeployed\([^\n]*\)\n", "", text, flags=re.M)
        # An SDK maps versions of iOS to those of visionOS, whose first had what iOS 17 has.
        text = re.sub(r"@available\((?=[^)]*\biOS 1[0-7]\b)(?![^)]*visionOS)([^)]*), \*\)", r"@available(\1, visionOS 1.0, *)", text)
        # Holds within this module, not for what imports it.
        text = text.replace("// swift-module-flags: ", "// swift-module-flags: -disable-availability-checking ", 1)
        folder = f"{root}/{platform}/{name}.swiftmodule"
        os.makedirs(folder, exist_ok=True)
        open(f"{folder}/{file}.swiftinterface", "w").write(text)
    # What Swift adds to the C module: its real declarations, as far as they are used.
    overlay = f'''// swift-interface-format-version: 1.0
// swift-module-flags: -target {triple} -disable-objc-interop -enable-library-evolution -swift-version 5 -module-name Darwin
import Swift
@_exported import Darwin
public var errno: Swift.Int32 {{ get set }}
public func open(_ path: Swift.UnsafePointer<Swift.CChar>, _ oflag: Swift.Int32) -> Swift.Int32
public func open(_ path: Swift.UnsafePointer<Swift.CChar>, _ oflag: Swift.Int32, _ mode: Darwin.mode_t) -> Swift.Int32
public func fcntl(_ fd: Swift.Int32, _ cmd: Swift.Int32) -> Swift.Int32
public func fcntl(_ fd: Swift.Int32, _ cmd: Swift.Int32, _ value: Swift.Int32) -> Swift.Int32
public func fcntl(_ fd: Swift.Int32, _ cmd: Swift.Int32, _ ptr: Swift.UnsafeMutableRawPointer) -> Swift.Int32
public var S_IFMT: Darwin.mode_t {{ get }}
public var S_IFREG: Darwin.mode_t {{ get }}
public var S_IFDIR: Darwin.mode_t {{ get }}
public var S_IFLNK: Darwin.mode_t {{ get }}
public var SIG_DFL: (@convention(c) (Swift.Int32) -> Swift.Void)? {{ get }}
public var SIG_IGN: (@convention(c) (Swift.Int32) -> Swift.Void) {{ get }}
// Names that C has in the mode of Objective-C, or by notes of the SDK.
@available(macOS 10.12, iOS 10.0, visionOS 1.0, *) public var CLOCK_REALTIME: Darwin.clockid_t {{ get }}
@available(macOS 10.12, iOS 10.0, visionOS 1.0, *) public var CLOCK_MONOTONIC: Darwin.clockid_t {{ get }}
@available(macOS 10.12, iOS 10.0, visionOS 1.0, *) public var CLOCK_THREAD_CPUTIME_ID: Darwin.clockid_t {{ get }}
@available(macOS 10.10, iOS 8.0, visionOS 1.0, *) public var QOS_CLASS_USER_INITIATED: Darwin.qos_class_t {{ get }}
'''
    os.makedirs(f"{root}/{platform}/Darwin.swiftmodule", exist_ok=True)
    open(f"{root}/{platform}/Darwin.swiftmodule/{file}.swiftinterface", "w").write(overlay)
shutil.copytree(lib + "/shims", root + "/shims", dirs_exist_ok=True)
for name in ("clang", "host", "apinotes"):
    if not os.path.lexists(f"{root}/{name}"): os.symlink(f"{lib}/{name}", f"{root}/{name}")
open(root + "/done", "w")
P
fi

# 3. Stand-ins.
mkdir -p "$work/standins"
for name in CLuaRoute:CLua CAtomics:Sources/CAtomics; do
    printf 'module %s {\n  umbrella "%s/%s/include"\n  export *\n}\n' "${name%:*}" "$package" "${name#*:}"
done >"$work/c.modulemap"
cat >"$work/standins/Foundation.swift" <<'S'
@_exported import Darwin
public struct URL: Sendable, Hashable {
    public init?(string: String) { nil }
    public var absoluteString: String { "" }
    public var isFileURL: Bool { true }
    public var path: String { "" }
    @available(macOS 13.0, iOS 16.0, visionOS 1.0, *) public func path(percentEncoded: Bool = true) -> String { "" }
    @available(macOS 13.0, iOS 16.0, visionOS 1.0, *) public func appending<S: StringProtocol>(path: S) -> URL { self }
}
open class NSObject: Hashable {
    public init() {}
    public static func == (one: NSObject, other: NSObject) -> Bool { one === other }
    public func hash(into hasher: inout Hasher) {}
}
public protocol NSObjectProtocol: AnyObject {}
open class NSCoder: NSObject {}
open class Bundle: NSObject {}
public protocol LocalizedError: Error {
    var errorDescription: String? { get }
    var failureReason: String? { get }
    var recoverySuggestion: String? { get }
    var helpAnchor: String? { get }
}
extension LocalizedError {
    public var errorDescription: String? { nil }
    public var failureReason: String? { nil }
    public var recoverySuggestion: String? { nil }
    public var helpAnchor: String? { nil }
}
public protocol CustomNSError: Error {
    static var errorDomain: String { get }
    var errorCode: Int { get }
    var errorUserInfo: [String: Any] { get }
}
public let NSLocalizedDescriptionKey = "", NSDebugDescriptionErrorKey = ""
public let NSLocalizedFailureReasonErrorKey = "", NSUnderlyingErrorKey = ""
S
cat >"$work/standins/CryptoKit.swift" <<'S'
@available(macOS 10.15, iOS 13.0, visionOS 1.0, *) public enum Curve25519 { public enum Signing {
    public struct PublicKey: Sendable {
        public init(rawRepresentation: [UInt8]) throws {}
        public var rawRepresentation: [UInt8] { [] }
        public func isValidSignature(_ signature: [UInt8], for data: [UInt8]) -> Bool { true }
    }
    public struct PrivateKey: Sendable {
        public init() {}
        public init(rawRepresentation: [UInt8]) throws {}
        public var rawRepresentation: [UInt8] { [] }
        public var publicKey: PublicKey { try! PublicKey(rawRepresentation: []) }
        public func signature(for data: [UInt8]) throws -> [UInt8] { [] }
    }
} }
@available(macOS 10.15, iOS 13.0, visionOS 1.0, *) public struct SHA256 {
    public static func hash(data: [UInt8]) -> [UInt8] { [] }
}
S

# 4. C, with Lua compiled in: no system but macOS has a library of it.
lua=
rm -rf "$work/c" && mkdir -p "$work/c/lua"
for file in ${LUAROUTE_LUA_SOURCES:+"$LUAROUTE_LUA_SOURCES"} "$package/CLua/Lua"; do
    if [ -f "$file" ]; then
        tar -xzf "$file" -C "$work/c/lua" --strip-components 1
        file=$work/c/lua
    fi
    [ ! -e "$file/src/lapi.c" ] || file=$file/src
    if [ -z "$lua" ] && [ -e "$file/lapi.c" ]; then lua=$file; fi
done
if [ -n "$lua" ]; then
    cp -r "$package/CLua" "$work/c/CLua"
    [ "$lua" = "$package/CLua/Lua" ] || cp "$lua"/*.[ch] "$work/c/CLua/Lua/"
    clang=$(dirname "$(realpath "$(command -v swiftc)")")/clang
    for target in "${targets[@]}"; do
        "$clang" -target "$target" -isysroot "$work/sdk" -std=gnu11 -Wall -Werror -Os -c -I "$work/c/CLua/include" \
            -o "$work/c/$target.o" "$work/c/CLua/CLuaRoute.c"
        # `nm` of a Mach-O file begins names with `_`.
        if llvm-nm -g --defined-only "$work/c/$target.o" | awk '{ print $3 }' | grep -v '^_luaroute_'; then
            echo "the object file for $target exports the symbols above, which do not begin with luaroute_"
            exit 1
        fi
    done
else
    echo "skipped: the sources of Lua are missing, so C code is not compiled for Apple's systems"
fi

# 5. Each module: the check, the object, and then the module for those above, without bodies and availability.
status=0
for target in "${targets[@]}"; do
    out="$work/$target"; rm -rf "$out"; mkdir -p "$out"
    common=(-target "$target" -resource-dir "$work/res" -sdk "$work/sdk" -module-cache-path "$work/cache"
        -I "$out" -plugin-path "$lib/host/plugins" -parse-as-library -diagnostic-style llvm
        # The interfaces of Linux have nothing of Objective-C.
        -disable-objc-interop)
    for name in Foundation CryptoKit; do
        swiftc -frontend -emit-module "${common[@]}" -swift-version 6 -disable-availability-checking -suppress-warnings \
            -experimental-skip-all-function-bodies -module-name "$name" -o "$out/$name.swiftmodule" "$work/standins/$name.swift"
    done
    for module in $modules; do
        sources="$package/Sources/$module"
        [ "$module" != UIKitStandin ] || sources="$package/Tests/Standins/UIKit"
        mapfile -t files < <(find "$sources" -name '*.swift' | LC_ALL=C sort)
        # What SwiftPM makes of embedded resources.
        names=$({ grep -rhoE 'PackageResources\.\w+' "$sources" || true; } | sort -u | sed 's/.*\.//')
        if [ -n "$names" ]; then
            { echo "struct PackageResources {"; for name in $names; do echo "    static let $name: [UInt8] = []"; done; echo "}"; } \
                >"$out/$module.resources.swift"
            files+=("$out/$module.resources.swift")
        fi
        flags=("${common[@]}" -swift-version 6 -package-name luaroute -module-name "$module" -DBundles
            -enable-upcoming-feature ExistentialAny -enable-upcoming-feature MemberImportVisibility
            -enable-upcoming-feature InternalImportsByDefault -Xcc -fmodule-map-file="$work/c.modulemap")
        swiftc -frontend -emit-module "${flags[@]}" -disable-availability-checking -suppress-warnings \
            -experimental-skip-all-function-bodies -o "$out/$module.swiftmodule" "${files[@]}" >"$out/$module.emit.log" 2>&1 \
            || { echo "the module $module cannot be built for $target"; grep error: "$out/$module.emit.log" || true; exit 1; }
        # Not `-typecheck`: what is sent between isolations, and moved, is checked after that.
        if ! swiftc -frontend -c -Onone -wmo "${flags[@]}" -o "$out/$module.o" "${files[@]}" >"$out/$module.log" 2>&1; then
            grep -E 'error: |Stack dump' "$out/$module.log" | sort -u
            echo "$module does not compile for $target (see $out/$module.log)"
            status=1
            continue
        fi
        # The metadata of a function type with a typed error is of iOS 18. The reflection of a stored optional
        # closure asks for it too, which the type-checker lets pass: before it, that is a call of null.
        if llvm-nm -u "$out/$module.o" | grep -E 'swift_getExtendedFunctionTypeMetadata|15Synchronization'; then
            echo "$module needs the symbols above, which the oldest system of $target lacks"
            status=1
        fi
    done
    echo "$target: $(wc -w <<<"$modules") modules"
done
exit $status
