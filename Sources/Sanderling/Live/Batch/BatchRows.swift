import GRDB

/// The rows that a batch of commits concerns: before the batch, and at the batch's snapshot.
///
/// A row before the batch is its old image, if it was changed, and otherwise the row of the snapshot.
final class BatchRows {
  /// The effect of a batch on one row. Both images are nil for a row that was inserted and deleted.
  struct Delta {
    let old: RowImage?
    let new: RowImage?

    /// Whether the batch left the captured columns unchanged.
    var isEqual: Bool { old == new }
  }

  let database: Database
  /// Whether the database declares a captured column with another type than its record.
  let hasLooseColumns: Bool
  let changes: [RecordType: CapturedTable]
  private let layouts: [RecordType: CaptureLayout]
  private var readers: [RecordType: RowReader] = [:]
  /// Rows that were read for associations, at the snapshot.
  private var known: [RecordType: [RowKey: RowImage?]] = [:]

  init(_ database: Database, changes: [RecordType: CapturedTable], layouts: [RecordType: CaptureLayout]) {
    self.database = database
    self.changes = changes
    self.layouts = layouts
    hasLooseColumns = layouts.values.contains { !$0.looseColumns.isEmpty }
  }

  /// The effect of the batch on a captured row.
  func delta(_ type: RecordType, _ key: RowKey, old: RowImage?) throws -> Delta {
    if let new = known[type]?[key] { return Delta(old: old, new: new) }
    return Delta(old: old, new: try read(type, key))
  }

  /// A row before the batch, or at its snapshot.
  func row(_ type: RecordType, _ key: RowKey, isOld: Bool) throws -> RowImage? {
    if isOld, let changed = changes[type]?.old(of: key) { return changed.image }
    if let known = known[type]?[key] { return known }
    let image = try read(type, key)
    known[type, default: [:]][key] = .some(image)
    return image
  }

  /// The row that a to-one association leads to; nil for none.
  func row(_ association: Association, of origin: RowImage, isOld: Bool) throws -> RowImage? {
    var values: [StorageValue] = []
    for index in association.destination.table.key {
      guard let pair = association.columns.first(where: { $0.destination == index }),
        let value = origin.value(ofColumn: pair.origin)
      else { throw EvaluationError.unsupported("a column that leads to another table was not captured") }
      if value.isNull { return nil }
      guard value.isSameAsEqual(association.origin, pair.origin, association.destination, pair.destination) else {
        throw EvaluationError.unsupported("a reference equals its key, but is stored in another form")
      }
      values.append(value)
    }
    guard let image = try row(association.destination, RowKey(values), isOld: isOld) else { return nil }
    guard let condition = association.condition else { return image }
    let context = LiveRowContext(type: association.destination, image: image, rows: self, isOld: isOld)
    return try TermEvaluator(context).isTrue(condition) ? image : nil
  }

  private func read(_ type: RecordType, _ key: RowKey) throws -> RowImage? {
    if readers[type] == nil {
      guard let layout = layouts[type] else {
        throw EvaluationError.unsupported("table \(type.table.name) is not captured")
      }
      readers[type] = try RowReader(database, layout)
    }
    return try readers[type]?.row(key)
  }
}

extension StorageValue {
  /// Whether SQL's equality with a value of another column implies that both are the same value.
  ///
  /// Texts with collations other than BINARY, and numbers in columns that don't convert them, can be equal and differ.
  func isSameAsEqual(_ type: RecordType, _ column: Int, _ otherType: RecordType, _ otherColumn: Int) -> Bool {
    let (column, other) = (type.table.columns[column], otherType.table.columns[otherColumn])
    switch self {
    case .null, .blob: return true
    case .text: return column.collation == .binary && other.collation == .binary && column.type == other.type
    case .integer: return column.type == .integer && other.type == .integer
    case .real: return false
    }
  }
}

/// Reads rows back by their keys.
private final class RowReader {
  private let layout: CaptureLayout
  private let statement: Statement

  init(_ database: Database, _ layout: CaptureLayout) throws {
    self.layout = layout
    statement = try database.idleStatement(sql: layout.selectByKey)
  }

  func row(_ key: RowKey) throws -> RowImage? {
    let execution = StatementExecution(statement, recorder: nil)
    defer { execution.finish() }
    try execution.bind { try key.bind(to: $0, from: 1) }
    var image: RowImage?
    try execution.forEach { image = RowImage(reading: $0, layout: layout) }
    return image
  }
}
