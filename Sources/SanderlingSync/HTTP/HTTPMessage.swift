public import Foundation

/// A request to a server, below its address.
public struct HTTPRequest: Sendable {
  /// The method, such as `GET`.
  public var method: String
  /// The path below the server's address, percent-encoded if necessary: ``HTTPRequest/encoded(_:)``.
  public var path: String
  /// The parameters of the query, not encoded.
  public var query: [String: String]
  /// The headers by their names.
  public var headers: [String: String]
  /// The body; nil for none.
  public var body: Data?

  /// Creates a request with a method and a path.
  public init(
    _ method: String, _ path: String, query: [String: String] = [:], headers: [String: String] = [:],
    body: Data? = nil
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
  }

  /// The path for errors, without the query, which may be secret.
  var name: String { String(path.prefix { $0 != "?" }) }

  /// A text as one part of a path or a query.
  public static func encoded(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return result
  }
}

/// A server's answer. Its description has no values.
public struct HTTPResponse: Sendable, CustomStringConvertible {
  /// The status code.
  public var status: Int
  /// The headers by their names in lower case.
  public var headers: [String: String]
  /// The body, decompressed.
  public var body: [UInt8]

  public init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  public var description: String { "\(status), \(body.count) bytes" }

  /// Whether the status is 200 to 299.
  public var isSuccess: Bool { (200..<300).contains(status) }

  /// Returns the value of a header; nil if the answer lacks it.
  ///
  /// - Parameter name: The header's name, in any case.
  public func header(_ name: String) -> String? { headers[name.lowercased()] }

  /// Returns the text or number of a member in the answer's object; nil if the member is missing.
  ///
  /// - Parameter path: The name of the member, with the names of nested members after dots, such as
  ///   `data.last_modified`.
  public func member(_ path: String) -> String? {
    var reader = JSONReader(json)
    return (try? reader.object())?.member(path)?.word
  }

  /// The body without the byte order mark that some servers add.
  var json: [UInt8] { body.withoutByteOrderMark }

  /// Whether the body is JSON, or empty.
  var hasJSON: Bool {
    if body.isEmpty { return true }
    var reader = JSONReader(json)
    do {
      _ = try reader.value(depth: 1)
      try reader.end()
      return true
    } catch {
      return false
    }
  }

  /// The wait that the server requests.
  var wait: Duration? {
    [header("Retry-After"), header("Backoff")].compactMap { $0.flatMap(seconds) }.max().map { .seconds($0) }
  }

  private func seconds(_ text: String) -> Int64? {
    if let seconds = Int64(text) { return min(max(seconds, 0), 1 << 32) }
    // Compared with the server's own clock: the device's clock may be hours wrong.
    guard let until = HTTPDate.date(text), let now = date else { return nil }
    return min(max(Int64(until.timeIntervalSince(now).rounded(.up)), 0), 1 << 32)
  }

  /// The time at the server.
  var date: Date? { header("Date").flatMap(HTTPDate.date) }

  /// The server's error text, shortened.
  var message: String {
    let text = member("message") ?? member("error") ?? member("errno") ?? ""
    return String(text.prefix(300))
  }
}

/// Dates in HTTP's format: `Mon, 23 Nov 2026 18:06:05 GMT`.
enum HTTPDate {
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  static func date(_ text: String) -> Date? {
    let parts = text.split(separator: " ")
    guard parts.count == 6, let day = Int(parts[1]), let month = months.firstIndex(of: String(parts[2])),
      let year = Int(parts[3]), (1970...9999).contains(year), (1...31).contains(day)
    else { return nil }
    let time = parts[4].split(separator: ":").compactMap { Int($0) }
    guard time.count == 3 else { return nil }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar.date(
      from: DateComponents(
        year: year, month: month + 1, day: day, hour: time[0], minute: time[1], second: time[2]))
  }
}

extension [UInt8] {
  /// The bytes of a text without UTF-8's optional byte order mark.
  var withoutByteOrderMark: [UInt8] { starts(with: [0xEF, 0xBB, 0xBF]) ? Array(dropFirst(3)) : self }
}
