import Foundation
import Sanderling

/// The position in each collection of a server, in stored form.
struct HTTPCursor: Codable, Hashable, Sendable {
  struct Position: Codable, Hashable, Sendable {
    /// The mark up to which everything was delivered.
    var since: String?
    var key: String?
    /// The next page of the list being read.
    var page: String?
    /// The mark at the beginning of the list whose next page is `page`: the pages belong to that request.
    var begin: String?
    var beginKey: String?
    /// The values that `since` and `key` get once all pages were read.
    var until: String?
    var untilKey: String?
    /// The number of rows received from a list that began with the collection's first row; nil if no such list is being
    /// read.
    var received: Int?
    /// The member or header that once led to a next page.
    var seenNext: String?
    /// Whether this member or header once marked the last page. It then always does.
    var saysLast: Bool?
    /// The collection's ETag after everything was read.
    var tag: String?
    var incarnation: String?
    /// The server's time at the last answer, in seconds since 1970.
    var date: Double?

    /// The position of a collection that is read from its beginning.
    func fresh(incarnation: String?) -> Position {
      Position(seenNext: seenNext, saysLast: saysLast, incarnation: incarnation)
    }

    /// Whether two positions are the same place. Counts and times don't matter.
    func isAt(_ other: Position) -> Bool {
      var (own, other) = (self, other)
      (own.date, own.received) = (nil, nil)
      (other.date, other.received) = (nil, nil)
      return own == other
    }

    var mark: HTTPSince.Mark? { since.map { HTTPSince.Mark(value: $0, key: key) } }
  }

  var records: [String: Position] = [:]
  /// Whether everything is being read again.
  var isWhole: Bool?

  init() {}

  /// - Returns: Nil for a text that is no cursor.
  init?(_ text: String) {
    guard let cursor = try? JSONDecoder().decode(HTTPCursor.self, from: Data(text.utf8)) else { return nil }
    self = cursor
  }

  var text: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
  }
}

extension HTTPSince {
  /// Whether a value is known to precede another one; only numbers and dates have a known order.
  static func isEarlier(_ value: String, than other: String) -> Bool {
    if let value = HTTPPage.number(value), let other = HTTPPage.number(other) { return value < other }
    guard let value = time(value), let other = time(other) else { return false }
    return value < other
  }

  private static func time(_ text: String) -> Date? {
    (try? DateTextCoding.decode(.text(text))) ?? (try? ISO8601Coding.decode(.text(text)))
  }

  /// The mark to begin from, so that rows that were being written at the last answer are found. A server that sets
  /// values before the commit may show them late.
  ///
  /// - Parameters:
  ///   - mark: The mark at the end of the last answer.
  ///   - date: The time of that answer by the server's clock; nil if it came right after the last row.
  func start(at mark: Mark, lastAnswer date: Date?) -> Mark {
    if overlap <= .zero { return mark }
    let time: Date
    let number = Int64(mark.value)
    if let number {
      time = Date(timeIntervalSince1970: Double(number) / 1000)
    } else if let parsed = try? DateTextCoding.decode(.text(mark.value)) {
      time = parsed
    } else {
      return mark
    }
    // The header has whole seconds only.
    let earliest = (date?.addingTimeInterval(-1) ?? time).addingTimeInterval(-(overlap / .seconds(1)))
    if time <= earliest { return mark }
    if number != nil { return Mark(value: String(Int64(earliest.timeIntervalSince1970 * 1000)), key: nil) }
    let isSpaced = !mark.value.contains("T")
    guard case .text(let text)? = try? isSpaced ? DateTextCoding.encode(earliest) : ISO8601Coding.encode(earliest)
    else { return mark }
    return Mark(value: isSpaced && mark.value.hasSuffix("Z") ? text + "Z" : text, key: nil)
  }
}
