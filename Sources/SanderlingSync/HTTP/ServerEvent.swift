/// An event that a server sent.
public struct ServerEvent: Sendable, Hashable {
  /// The kind of the event; `message` if the server gives none.
  public var type: String
  /// The text of the event.
  public var data: String
  /// The last id that the server gave.
  public var id: String
}

/// Reads a stream of server-sent events, by the rules of the HTML standard, in bounded memory.
struct EventParser {
  /// A line, or the data of an event, exceeds its limit.
  struct TooLong: Error {}

  private let limit: Int
  private var line: [UInt8] = []
  private var isAfterReturn = false
  private var isFirstLine = true
  private var type = ""
  private var data: [String] = []
  private var dataSize = 0
  private(set) var lastID = ""
  /// The delay that the server requests before the next connection.
  private(set) var retry: Duration?

  init(limit: Int, lastID: String = "") {
    self.limit = limit
    self.lastID = lastID
  }

  /// The events that are completed by some bytes.
  mutating func feed(_ bytes: [UInt8]) throws -> [ServerEvent] {
    var events: [ServerEvent] = []
    for byte in bytes {
      // A line ends with CR, LF or both.
      if byte == 10, isAfterReturn {
        isAfterReturn = false
        continue
      }
      isAfterReturn = byte == 13
      guard byte == 10 || byte == 13 else {
        if line.count == limit { throw TooLong() }
        line.append(byte)
        continue
      }
      if let event = try endLine() { events.append(event) }
      line.removeAll(keepingCapacity: true)
    }
    return events
  }

  private mutating func endLine() throws -> ServerEvent? {
    if isFirstLine { line = line.withoutByteOrderMark }
    isFirstLine = false
    if line.isEmpty { return dispatch() }
    let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.count
    let name = String(decoding: line[..<colon], as: UTF8.self)
    var value = line[min(colon + 1, line.count)...]
    if value.first == UInt8(ascii: " ") { value.removeFirst() }
    let text = String(decoding: value, as: UTF8.self)
    switch name {
    case "event": type = text
    case "data":
      dataSize += value.count + 1
      if dataSize > limit { throw TooLong() }
      data.append(text)
    case "id": if !text.contains("\0") { lastID = text }
    case "retry":
      if !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }), let milliseconds = Int64(text) {
        retry = .milliseconds(milliseconds)
      }
    default: break
    }
    return nil
  }

  private mutating func dispatch() -> ServerEvent? {
    defer { (type, data, dataSize) = ("", [], 0) }
    if data.isEmpty { return nil }
    return ServerEvent(type: type.isEmpty ? "message" : type, data: data.joined(separator: "\n"), id: lastID)
  }
}
