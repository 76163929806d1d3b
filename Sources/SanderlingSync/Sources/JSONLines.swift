import Sanderling

/// The lines of a file of JSON objects.
final class JSONLines: FileRows {
  let bytes: FileBytes
  private(set) var line = 1
  private(set) var isAtBreak = true
  private let name: String
  private let reading: RowReading?
  private let limits: FileLimits
  /// The columns of names that came before, which are mostly the same. Dropped when there are many.
  private var known: [String: RecordColumn?] = [:]

  /// - Parameter reading: nil where only members are asked for.
  init(_ bytes: FileBytes, _ name: String, _ reading: RowReading?, _ limits: FileLimits) {
    self.bytes = bytes
    self.name = name
    self.reading = reading
    self.limits = limits
  }

  func readHead() throws { try bytes.beginText() }

  func goOn(at cursor: FileCursor) { line = cursor.line }

  func next() throws -> SyncChange? {
    guard let (line, members) = try members() else { return nil }
    guard let reading else { preconditionFailure("rows are read by columns") }
    var values: [String: StorageValue] = [:]
    values.reserveCapacity(members.count)
    for (name, value) in members {
      let column = column(name, reading)
      values[column?.name ?? name] = column?.stored(value) ?? value.plain
    }
    guard values.count == members.count else { throw twoOfOneColumn(line) }
    return reading.change(values, line: line)
  }

  private func column(_ name: String, _ reading: RowReading) -> RecordColumn? {
    if let column = known[name] { return column }
    if known.count >= limits.columns { known.removeAll(keepingCapacity: true) }
    let column = reading.column(name)
    known[name] = .some(column)
    return column
  }

  /// What the next line has, empty lines passed over; nil at the end.
  func members() throws -> (line: Int, members: [String: ForeignValue])? {
    while try bytes.peek() != nil {
      var text: [UInt8] = []
      try bytes.take(into: &text, upTo: { $0 == UInt8(ascii: "\n") }, limit: limits.row + 1)
      if text.count > limits.row { throw malformed(limits.row, "the line has more than \(limits.row) bytes") }
      isAtBreak = try bytes.next() != nil
      defer { line += 1 }
      if text.allSatisfy({ [32, 9, 13].contains($0) }) { continue }
      return (line, try members(of: text))
    }
    return nil
  }

  private func members(of text: [UInt8]) throws -> [String: ForeignValue] {
    do {
      var reader = JSONReader(text, depthLimit: limits.depth)
      let members = try reader.object()
      if members.count > limits.columns { throw malformed(0, "the object has more than \(limits.columns) members") }
      return members
    } catch let error as JSONSyntaxError {
      if text.first(where: { ![32, 9, 13].contains($0) }) == UInt8(ascii: "[") {
        throw malformed(
          0, "an array begins here. Each row has to be an object on a line of its own, as jq -c '.[]' prints them")
      }
      throw malformed(error.offset, error.reason)
    }
  }

  /// Names that differ in case only are one column's.
  func twoOfOneColumn(_ line: Int) -> SyncError { malformed(0, "two members are of one column", line) }

  private func malformed(_ offset: Int, _ reason: String, _ line: Int? = nil) -> SyncError {
    .malformedSource(path: name, line: line ?? self.line, column: offset + 1, reason: reason)
  }
}
