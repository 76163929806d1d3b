import Foundation
import Sanderling

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// An HTTP server of a test on the loopback interface. It answers as the test says, including invalid answers.
package final class ScriptedServer: Sendable {
  package struct Request: Sendable {
    package let method: String
    package let path: String
    package let query: String
    /// The headers by their names in lower case.
    package let headers: [String: String]
    package let body: String
  }

  /// The bytes of an answer in parts, with pauses between them. Then the connection is closed.
  package struct Answer: Sendable {
    package var parts: [[UInt8]]
    package var pause: Duration
    /// The number of times that all parts are sent.
    package var times: Int

    package init(parts: [[UInt8]], pause: Duration = .zero, times: Int = 1) {
      (self.parts, self.pause, self.times) = (parts, pause, times)
    }

    package static func raw(_ text: String) -> Answer { Answer(parts: [Array(text.utf8)]) }

    package static func json(_ body: String, status: Int = 200, headers: [String: String] = [:]) -> Answer {
      bytes(Array(body.utf8), status: status, headers: headers)
    }

    package static func bytes(_ body: [UInt8], status: Int = 200, headers: [String: String] = [:], length: Int? = nil)
      -> Answer
    {
      var head = "HTTP/1.1 \(status) Text\r\nContent-Length: \(length ?? body.count)\r\nConnection: close\r\n"
      for (name, value) in headers { head += "\(name): \(value)\r\n" }
      return Answer(parts: [Array((head + "\r\n").utf8) + body])
    }
  }

  private let descriptor: Int32
  package let url: URL
  private let log: Log

  package var requests: [Request] { log.requests }

  /// Starts the server on a free port.
  ///
  /// - Parameter answer: Answers a request. Its first argument is the number of the request, from 0.
  package init(_ answer: @escaping @Sendable (Int, Request) -> Answer) throws {
    #if canImport(Glibc)
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = descriptor
    let port = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        _ = bind(descriptor, pointer, length)
        _ = listen(descriptor, 64)
        _ = getsockname(descriptor, pointer, &length)
      }
      return UInt16(bigEndian: pointer.pointee.sin_port)
    }
    url = URL(string: "http://127.0.0.1:\(port)")!
    signal(SIGPIPE, SIG_IGN)
    let log = Log()
    self.log = log
    Thread.detachNewThread {
      while true {
        let connection = accept(descriptor, nil, nil)
        if connection < 0, [EINTR, ECONNABORTED].contains(errno) { continue }
        if connection < 0 {
          // The descriptor is closed only here. If it were closed before, another server could get its number, and this
          // thread would take that server's requests.
          #if canImport(Glibc)
            close(descriptor)
          #endif
          return
        }
        Thread.detachNewThread {
          defer { close(connection) }
          guard let request = Self.read(connection) else { return }
          Self.write(answer(log.add(request), request), connection)
        }
      }
    }
  }

  deinit {
    // The waiting thread ends.
    shutdown(descriptor, Int32(2))
    #if !canImport(Glibc)
      // Here a shutdown doesn't end the thread's wait.
      close(descriptor)
    #endif
  }

  /// The requests that arrived.
  private final class Log: Sendable {
    private let seen = Lock([Request]())

    var requests: [Request] { seen.withLock { $0 } }

    /// Adds a request.
    ///
    /// - Returns: The number of the request.
    func add(_ request: Request) -> Int {
      seen.withLock {
        $0.append(request)
        return $0.count - 1
      }
    }
  }

  private static func read(_ connection: Int32) -> Request? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    func more() -> Bool {
      let count = recv(connection, &buffer, buffer.count, 0)
      if count > 0 { bytes += buffer[..<count] }
      return count > 0
    }
    while true {
      let text = String(decoding: bytes, as: UTF8.self)
      if let end = text.range(of: "\r\n\r\n") {
        let lines = text[..<end.lowerBound].components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ")
        let target = words[1].split(separator: "?", maxSplits: 1)
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
          let parts = line.split(separator: ":", maxSplits: 1)
          headers[parts[0].lowercased()] = parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
        }
        let length = headers["content-length"].flatMap { Int($0) } ?? 0
        let head = text[..<end.upperBound].utf8.count
        while bytes.count < head + length { if !more() { break } }
        return Request(
          method: String(words[0]), path: String(target[0]),
          query: target.count > 1 ? String(target[1]).removingPercentEncoding ?? "" : "", headers: headers,
          body: String(decoding: bytes[head...], as: UTF8.self))
      }
      if !more() { return nil }
    }
  }

  private static func write(_ answer: Answer, _ connection: Int32) {
    for _ in 0..<answer.times {
      for part in answer.parts {
        var rest = part[...]
        while !rest.isEmpty {
          let count = rest.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, 0) }
          if count <= 0 { return }
          rest = rest.dropFirst(count)
        }
        if answer.pause > .zero { Thread.sleep(forTimeInterval: answer.pause / .seconds(1)) }
      }
    }
  }
}
