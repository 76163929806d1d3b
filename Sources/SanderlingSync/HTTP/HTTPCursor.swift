import Foundation
import Sanderling

/// How far each collection of a server was read, as it is stored.
struct HTTPCursor: Codable, Hashable, Sendable {
  struct Position: Codable, Hashable, Sendable {
    /// From where to go on: all up to it was given.
    var since: String?
    var key: String?
    /// The next page of what is being read.
    var page: String?
    /// What `since` becomes when all pages were read.
    var until: String?
    /// The collection's ETag when all was read.
    var tag: String?
    var incarnation: String?
    /// The server's time of the last answer, in seconds since 1970.
    var date: Double?

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
  /// A mark some time earlier, where it is a date or a number of milliseconds since 1970; else the mark.
  static func earlier(_ mark: Mark, by overlap: Duration) -> Mark {
    if overlap <= .zero { return mark }
    let seconds = overlap / .seconds(1)
    if let number = Int64(mark.value) { return Mark(value: String(number - Int64(seconds * 1000)), key: nil) }
    guard let date = try? DateTextCoding.decode(.text(mark.value)) else { return mark }
    let start = date.addingTimeInterval(-seconds)
    let isSpaced = !mark.value.contains("T")
    guard case .text(let text)? = try? isSpaced ? DateTextCoding.encode(start) : ISO8601Coding.encode(start) else {
      return mark
    }
    return Mark(value: isSpaced && mark.value.hasSuffix("Z") ? text + "Z" : text, key: nil)
  }
}
