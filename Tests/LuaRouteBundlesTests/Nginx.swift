// SPDX-License-Identifier: MIT

#if Bundles
import Foundation
import SystemGaps
import TestSupport
import Testing

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A socket on a free port of 127.0.0.1.
struct LocalSocket {
    let descriptor: Int32
    let port: Int

    /// Creates a socket that refuses connections until the socket listens.
    init() throws {
        #if canImport(Glibc)
        let stream = Int32(SOCK_STREAM.rawValue)
        #else
        let stream = SOCK_STREAM
        #endif
        descriptor = socket(AF_INET, stream, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let (descriptor, length) = (descriptor, size)
        let status = withUnsafeMutableBytes(of: &address) { bytes in
            let address = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
            return bind(descriptor, address, length) | getsockname(descriptor, address, &size)
        }
        try #require(status == 0)
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    func listen() { _ = systemListen(descriptor, 16) }
}

private let systemListen = listen

/// A server that answers every request with the same bytes, and then closes the connection.
final class RawServer: Sendable {
    private let answer = Lock<[UInt8]?>(nil)
    private let waiting = Lock<[Int32]>([])
    private let socket: LocalSocket

    init() throws {
        socket = try LocalSocket()
        socket.listen()
        Thread { [self] in
            while case let client = accept(socket.descriptor, nil, nil), client >= 0 {
                serve(client)
            }
        }.start()
    }

    var port: Int { socket.port }

    /// Sets the answer.
    ///
    /// Until an answer is set, clients wait.
    func set(_ head: [String], _ body: [UInt8]) {
        let text = (head + ["", ""]).joined(separator: "\r\n")
        answer.withLock { $0 = Array(text.utf8) + body }
    }

    private func serve(_ client: Int32) {
        var request: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while !request.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            let count = read(client, &buffer, buffer.count)
            guard count > 0 else { break }
            request += buffer[..<count]
        }
        guard let answer = answer.withLock(\.self) else {
            return waiting.withLock { $0.append(client) }
        }
        _ = answer.withUnsafeBytes { send(client, $0.baseAddress, $0.count, sendFlags) }
        close(client)
    }

    func end() {
        shutdown(socket.descriptor, Int32(SHUT_RDWR))
        close(socket.descriptor)
        for client in waiting.withLock(\.self) { close(client) }
    }
}

/// A client that has gone makes the call fail, instead of ending the process with a signal.
#if canImport(Darwin)
private let sendFlags: Int32 = 0x80000  // MSG_NOSIGNAL, which old headers lack.
#else
private let sendFlags = Int32(MSG_NOSIGNAL)
#endif

/// A web server with the files of a temporary folder, on a free port of 127.0.0.1.
///
/// If the folder contains a file with the name of a behaviour in ``modes``, the server answers
/// requests for `app.lrb` with the first such behaviour.
final class Nginx {
    static let program: String? = {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let downloaded = packageFolder.appending(path: ".build/nginx/usr/sbin").path
        return (path.split(separator: ":") + ["/usr/sbin", Substring(downloaded)])
            .map { "\($0)/nginx" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }()

    /// The names of the behaviours.
    static let modes = ["slow", "raw", "404", "500", "503", "elsewhere"]

    let folder: TemporaryFolder
    let raw: RawServer
    private let socket: LocalSocket
    private let process = Process()

    init() throws {
        folder = try TemporaryFolder()
        raw = try RawServer()
        socket = try LocalSocket()
        try folder.write("files/app.lrb", "")
    }

    var port: Int { socket.port }
    var url: URL { URL(string: "http://127.0.0.1:\(port)/app.lrb") ?? URL(filePath: "/") }

    /// Starts the server, and returns when it listens.
    ///
    /// The shares are values of the header `Rollout-Percent`: if the file `share-5` exists, the
    /// server sends the value 5.
    func start(shares: [String] = []) throws {
        let ways = Self.modes.map { ($0, "rewrite ^ /\($0)/app.lrb last") }
        let values = shares.map { ("share-\($0)", "set $percent \($0)") }
        let switches = (values + ways).map { "if (-f $document_root/\($0)) { \($1); }" }
        let paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        try folder.write(
            "nginx.conf",
            """
            daemon off;
            master_process off;
            pid nginx.pid;
            error_log stderr notice;
            events {}
            http {
              access_log access.log;
              \(paths.map { "\($0)_temp_path \($0);" }.joined(separator: " "))
              server {
                listen 127.0.0.1:\(port);
                root files;
                set $percent "";
                add_header Rollout-Percent $percent;
                location = /app.lrb { \(switches.joined(separator: "\n")) }
                location /slow/ { internal; alias files/; limit_rate 4k; }
                location /raw/ { internal; proxy_pass http://127.0.0.1:\(raw.port)/; }
                location /404/ { internal; return 404; }
                location /500/ { internal; return 500; }
                location /503/ { internal; return 503; }
                location /elsewhere/ { internal; return 302 http://localhost:\(port)/other.lrb; }
              }
            }
            """
        )
        close(socket.descriptor)
        let errors = Pipe()
        process.executableURL = URL(filePath: try #require(Self.program))
        process.arguments = ["-p", folder.path, "-c", "nginx.conf", "-e", "stderr"]
        process.standardError = errors
        try process.run()
        var log = ""
        while !log.contains("nginx/") {
            let data = errors.fileHandleForReading.availableData
            try #require(!data.isEmpty, "nginx did not start: \(log)")
            log += String(decoding: data, as: UTF8.self)
        }
    }

    /// The statuses of all answers.
    var statuses: [Int] {
        let lines = (try? folder.read("access.log").split(separator: "\n")) ?? []
        return lines.compactMap { $0.firstMatch(of: #/" ([0-9]{3}) /#).flatMap { Int($0.1) } }
    }

    deinit {
        raw.end()
        guard process.isRunning else { return }
        // It inherits the signals that the threads of tests block, and would not end by another.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
#endif
