import Foundation

/// A connection on this machine. A message consists of its length, as eight hexadecimal digits, and that number of
/// bytes.
struct WireSocket: Sendable {
  private let descriptor: Int32

  /// The longest time for which the socket waits, in seconds. The other side never delays an answer that long.
  private static let patience = 1.0
  private static let longestMessage = 16 << 20

  #if canImport(Darwin)
    private static let stream = SOCK_STREAM
  #else
    private static let stream = Int32(SOCK_STREAM.rawValue)
  #endif

  /// Connects to a listening socket.
  static func connecting(to port: UInt16, patience: Double = patience) throws -> WireSocket {
    let socket = try WireSocket.make(patience)
    var address = loopback(port)
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket.descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    if code != 0 {
      socket.end()
      throw WireError.unreachable
    }
    return socket
  }

  /// Listens on a free port.
  static func listening() throws -> (socket: WireSocket, port: UInt16) {
    let socket = try WireSocket.make()
    var address = loopback(0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        let isBound = bind(socket.descriptor, address, size) == 0 && listen(socket.descriptor, 64) == 0
        return isBound && getsockname(socket.descriptor, address, &size) == 0
      }
    }
    if !code {
      socket.end()
      throw WireError.unreachable
    }
    return (socket, UInt16(bigEndian: address.sin_port))
  }

  /// The next connection to a listening socket; nil if none arrives within the time limit of a message.
  func next() -> WireSocket? {
    let other = accept(descriptor, nil, nil)
    if other < 0 { return nil }
    let socket = WireSocket(descriptor: other)
    socket.limitTime()
    return socket
  }

  func end() { close(descriptor) }

  /// Signals the other side that no data follows.
  func shut() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  func message() throws -> Data {
    let head = try bytes(8)
    guard let text = String(data: head, encoding: .utf8), let count = Int(text, radix: 16),
      (0...Self.longestMessage).contains(count)
    else { throw WireError.malformed }
    return try bytes(count)
  }

  /// - Parameters:
  ///   - told: The declared length of the message.
  ///   - sent: The greatest number of bytes that are sent.
  func send(_ message: Data, told: Int? = nil, sent: Int? = nil) throws {
    let digits = String(told ?? message.count, radix: 16)
    var rest = Data((String(repeating: "0", count: max(8 - digits.count, 0)) + digits).utf8)
    rest += message.prefix(sent ?? message.count)
    try write(rest)
  }

  // MARK: Bytes

  func write(_ data: Data) throws {
    var rest = data
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count <= 0 { throw WireError.cut }
      rest = rest.dropFirst(count)
    }
  }

  /// The next message.
  func read() throws -> Data {
    guard let data = try readIfAny() else { throw WireError.cut }
    return data
  }

  /// The next message; nil at the end.
  func readIfAny() throws -> Data? {
    var data = Data(count: 1 << 16)
    let count = data.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
    if count < 0 { throw WireError.cut }
    return count == 0 ? nil : data.prefix(count)
  }

  private func bytes(_ count: Int) throws -> Data {
    var data = Data(count: count)
    var filled = 0
    while filled < count {
      let read = data.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress! + filled, count - filled, 0) }
      if read <= 0 { throw WireError.cut }
      filled += read
    }
    return data
  }

  // MARK: Creating sockets

  private static func make(_ patience: Double = patience) throws -> WireSocket {
    // Without SIGPIPE, a write to a connection that the other side has closed fails with an error and does not end the
    // process.
    signal(SIGPIPE, SIG_IGN)
    let descriptor = socket(AF_INET, stream, 0)
    if descriptor < 0 { throw WireError.unreachable }
    let socket = WireSocket(descriptor: descriptor)
    socket.limitTime(patience)
    return socket
  }

  private func limitTime(_ patience: Double = patience) {
    // Processes that are started meanwhile don't inherit it.
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    var time = timeval()
    time.tv_sec = Int(patience)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(descriptor, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
    }
  }

  private static func loopback(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }
}
