import Sanderling

/// The objects of a file, one per line or in an array, as changes.
final class JSONRows: FileRows {
  private let texts: JSONTexts
  private let reading: RowReading
  /// The columns of earlier names, which mostly repeat. Cleared when there are many.
  private var known: [String: RecordColumn?] = [:]

  var bytes: FileBytes { texts.bytes }
  var line: Int { texts.line }
  var isAtBreak: Bool { texts.isAtBreak }

  init(_ bytes: FileBytes, _ reading: RowReading) {
    texts = JSONTexts(bytes, reading.options.limits)
    self.reading = reading
  }

  func readHead() throws { try texts.readHead() }

  func goOn(at cursor: FileCursor, isFirst: Bool) { texts.goOn(atLine: cursor.line, isFirst: isFirst) }

  func next() throws -> SyncChange? {
    guard let text = try texts.next() else { return nil }
    switch text.members(reading.options.limits) {
    case .refused(let refusal): return reading.change(refusal)
    case .row(let members, let line):
      var values: [String: StorageValue] = [:]
      values.reserveCapacity(members.count)
      var count = 0
      for (name, value) in members where !reading.isIgnored(name) {
        let column = column(name)
        values[column?.name ?? name] = column?.stored(value) ?? value.plain
        count += 1
      }
      if values.count < count { return reading.change(Self.twoOfOneColumn(line)) }
      return reading.change(values, line: line)
    }
  }

  private func column(_ name: String) -> RecordColumn? {
    if let column = known[name] { return column }
    if known.count >= reading.options.limits.columns { known.removeAll(keepingCapacity: true) }
    let column = reading.column(name)
    known[name] = .some(column)
    return column
  }

  /// Names that differ only in case mean one column.
  static func twoOfOneColumn(_ line: Int) -> RowRefusal {
    RowRefusal(line: line, reason: "two members name the same column")
  }
}

extension ReadRow<[UInt8]> {
  /// The members of the object in the text, or the reason why it is no object.
  func members(_ limits: FileLimits) -> ReadRow<[String: ForeignValue]> {
    switch self {
    case .refused(let refusal): return .refused(refusal)
    case .row(let text, let line):
      do {
        var reader = JSONReader(text, depthLimit: limits.depth)
        let members = try reader.object()
        if members.count > limits.columns { return .refused(RowRefusal(line: line, reason: limits.tooWide)) }
        return .row(members, line: line)
      } catch let error as JSONSyntaxError {
        let before = text[..<min(error.offset, text.count)]
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let isOfDepth = error.reason.hasSuffix(" \(limits.depth) deep")
        var refusal = RowRefusal(
          line: line + before.count { $0 == UInt8(ascii: "\n") }, place: error.offset - start + 1,
          reason: error.reason + (isOfDepth ? FileLimits.ofDepth : ""))
        refusal.start = line
        return .refused(refusal)
      } catch {
        return .refused(RowRefusal(line: line, reason: "\(error)"))
      }
    }
  }
}
