/// The content of a line in Core Data's SQLDebug output.
enum CoreDataLine: Hashable, Sendable {
  /// `CoreData: sql: …`
  case sql(String)
  /// `CoreData: details: SQLite bind[0] = …`; numbers from 1.
  case binding(number: Int, value: BoundValue?)
  /// The time of the statement itself.
  case statementTime(Duration)
  /// The time of the whole request, with its rows.
  case requestTime(Duration?, rows: Int?)
  case rows(Int)
  /// A fault that the statement fulfilled, in the words of the log without the object's number.
  case fault(operation: String, rows: Int?)
  /// A line that concerns no statement.
  case other

  /// Returns the line and its prefix, which distinguishes threads; nil if it is no line of Core Data.
  static func read(_ line: String) -> (line: CoreDataLine, prefix: String)? {
    guard let start = firstIndex(of: marker, in: line) else { return nil }
    var message = line[line.utf8.index(start, offsetBy: marker.count)...]
    let prefix = String(line[..<start])
    if message.hasPrefix("debug: ") { message = message.dropFirst(7) }
    if let sql = message.dropping("sql: ") { return (.sql(String(sql)), prefix) }
    if let binding = message.dropping("details: SQLite bind[") { return (read(binding: binding), prefix) }
    if let annotation = message.dropping("annotation: ") { return (read(annotation: annotation), prefix) }
    return (.other, prefix)
  }

  private static let marker = Array("CoreData: ".utf8)

  /// Returns the first position of the bytes in a line. Most lines of a log are irrelevant, so only bytes are compared.
  private static func firstIndex(of bytes: [UInt8], in line: String) -> String.Index? {
    var rest = line.utf8[...]
    while let start = rest.firstIndex(of: bytes[0]) {
      rest = rest[start...]
      if rest.starts(with: bytes) { return start }
      rest = rest.dropFirst()
    }
    return nil
  }

  private static func read(binding: Substring) -> CoreDataLine {
    guard let close = binding.firstIndex(of: "]"), let index = Int(binding[..<close]), (0..<250_000).contains(index),
      let value = binding[close...].dropping("] = ")
    else { return .other }
    return .binding(number: index + 1, value: CoreDataValue.read(value))
  }

  private static func read(annotation: Substring) -> CoreDataLine {
    for words in ["sql connection fetch time: ", "sql execution time: "] {
      if let time = annotation.dropping(words) { return seconds(time).map { .statementTime($0) } ?? .other }
    }
    for words in ["total fetch execution time: ", "total count request execution time: "] {
      guard let rest = annotation.dropping(words) else { continue }
      return .requestTime(seconds(rest), rows: words.contains("count") ? 1 : number(after: " for ", in: rest))
    }
    if annotation.hasPrefix("count request ") { return .rows(1) }
    if annotation.hasPrefix("fetch using "), let rows = number(after: "' returned ", in: annotation) {
      return .rows(rows)
    }
    return fault(annotation)
  }

  /// Reads `fault fulfilled from database for : … <x-coredata://store/Entity/p1>`, or `to-many relationship fault
  /// "name" for objectID … fulfilled from database. Got 3 rows`.
  private static func fault(_ annotation: Substring) -> CoreDataLine {
    guard annotation.contains("fulfilled from database"), let fault = annotation.range(of: "fault") else {
      return .other
    }
    var entity = ""
    if let start = annotation.range(of: "x-coredata://") {
      let parts = annotation[start.upperBound...].prefix { $0 != ">" && $0 != " " }.split(separator: "/")
      if parts.count >= 2 { entity = " of \(parts[parts.count - 2].prefix(100))" }
    }
    let words = annotation[..<fault.upperBound].prefix(100)
    var name = ""
    if let quote = annotation[fault.upperBound...].dropping(" \""), let end = quote.firstIndex(of: "\"") {
      name = " \(quote[..<end].prefix(100))"
    }
    return .fault(operation: words + name + entity, rows: number(after: "Got ", in: annotation))
  }

  private static func number(after words: String, in text: Substring) -> Int? {
    guard let found = text.range(of: words) else { return nil }
    return Int(text[found.upperBound...].prefix { $0.isASCII && $0.isNumber })
  }

  /// Returns the time at the beginning of a text, as in `0.0287s`.
  static func seconds(_ text: Substring) -> Duration? {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard let seconds = Double(digits), seconds.isFinite, (0..<1e9).contains(seconds) else { return nil }
    return .seconds(seconds)
  }
}

extension Substring {
  /// Returns the text after a prefix; nil without the prefix.
  func dropping(_ prefix: String) -> Substring? {
    hasPrefix(prefix) ? dropFirst(prefix.count) : nil
  }
}
