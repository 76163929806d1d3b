import Foundation
import Sanderling

/// How far each collection of a server was read, as it is stored.
struct HTTPCursor: Codable, Hashable, Sendable {
  struct Position: Codable, Hashable, Sendable {
    /// From where to go on: all up to it was given.
    var since: String?
    var key: String?
    /// The next page of the list that is being read.
    var page: String?
    /// Where the list began whose next page is `page`: its pages are those of that request.
    var begin: String?
    var beginKey: String?
    /// The values that `since` and `key` get when all pages were read.
    var until: String?
    var untilKey: String?
    /// How many rows came of a list that began with the first row of the collection; nil while no such list is being read.
    var received: Int?
    /// The member or header that led to a next page once.
    var seenNext: String?
    /// Whether an answer said by it that no page follows. It always does then.
    var saysLast: Bool?
    /// The collection's ETag when all was read.
    var tag: String?
    var incarnation: String?
    /// The server's time of the last answer, in seconds since 1970.
    var date: Double?

    /// The position of a collection that is read from its beginning.
    func fresh(incarnation: String?) -> Position {
      Position(seenNext: seenNext, saysLast: saysLast, incarnation: incarnation)
    }

    /// Whether it is the place of another position. Counts and times are of the way there.
    func isAt(_ other: Position) -> Bool {
      var (own, other) = (self, other)
      (own.date, own.received) = (nil, nil)
      (other.date, other.received) = (nil, nil)
      return own == other
    }

    var mark: HTTPSince.Mark? { since.map { HTTPSince.Mark(value: $0, key: key) } }
  }

  var records: [String: Position] = [:]
  /// Whether everything is being read anew.
  var isWhole: Bool?

  init() {}

  /// - Returns: nil for a text that isn't one.
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
  /// Whether a value is known to come before another one; only numbers and dates have an order that is known.
  static func isEarlier(_ value: String, than other: String) -> Bool {
    if let value = HTTPPage.number(value), let other = HTTPPage.number(other) { return value < other }
    guard let value = time(value), let other = time(other) else { return false }
    return value < other
  }

  private static func time(_ text: String) -> Date? {
    (try? DateTextCoding.decode(.text(text))) ?? (try? ISO8601Coding.decode(.text(text)))
  }

  /// The mark from which to begin, so that rows that were being written at the last answer are found: a server that
  /// sets values before it commits may show them late.
  ///
  /// - Parameters:
  ///   - mark: Where the last answer ended.
  ///   - date: When that was, by the server's clock; nil for at once after the last row.
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
    // The header has full seconds only.
    let earliest = (date?.addingTimeInterval(-1) ?? time).addingTimeInterval(-(overlap / .seconds(1)))
    if time <= earliest { return mark }
    if number != nil { return Mark(value: String(Int64(earliest.timeIntervalSince1970 * 1000)), key: nil) }
    let isSpaced = !mark.value.contains("T")
    guard case .text(let text)? = try? isSpaced ? DateTextCoding.encode(earliest) : ISO8601Coding.encode(earliest)
    else { return mark }
    return Mark(value: isSpaced && mark.value.hasSuffix("Z") ? text + "Z" : text, key: nil)
  }
}
