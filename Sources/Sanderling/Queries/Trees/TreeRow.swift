/// A record with its place in a tree: a row of ``HasMany/tree(maximumDepth:)``, ``HasMany/tree(from:maximumDepth:)``
/// and ``HasMany/ancestors(of:maximumDepth:)``.
///
/// A row has the properties of its record: `row.name` is `row.record.name`.
@dynamicMemberLookup
public struct TreeRow<Record: StoredRecord>: Sendable {
  /// The record itself.
  public let record: Record
  /// The number of steps from the start of the tree to the record: 0 for the start itself and for the roots of a
  /// forest.
  public let depth: Int
  /// The keys on the path from the start to the record, including both.
  public let path: [Record.Key]

  /// Creates a row without a database, for previews and tests.
  @inlinable
  public init(record: Record, depth: Int, path: [Record.Key]) {
    self.record = record
    self.depth = depth
    self.path = path
  }

  @inlinable
  public subscript<Value>(dynamicMember keyPath: KeyPath<Record, Value>) -> Value {
    record[keyPath: keyPath]
  }
}

extension TreeRow: Identifiable where Record: Identifiable {
  /// The record's `id`.
  @inlinable
  public var id: Record.ID { record.id }
}

extension TreeRow: Equatable where Record: Equatable {}
extension TreeRow: Hashable where Record: Hashable {}

extension TreeRow: Selectable {
  public typealias Source = Record

  public static var fields: TreeFields<Record> { TreeFields() }

  public static var _terms: [_SelectedTerm] {
    Record._terms + [_SelectedTerm(fields.depth), _SelectedTerm(fields.path)]
  }

  public static var _properties: [String] { Record._properties + ["depth", "path"] }

  @inlinable
  public init(_reading row: ResultRow) throws {
    var paths = _TreePaths<Record>()
    self = try Self(reading: row, &paths)
  }

  @inlinable
  public static func _readAll(_ rows: ResultRows) throws -> [Self] {
    var result: [Self] = []
    result.reserveCapacity(rows.expectedCount)
    var paths = _TreePaths<Record>()
    try rows.forEach { result.append(try Self(reading: $0, &paths)) }
    return result
  }

  @inlinable
  init(reading row: ResultRow, _ paths: inout _TreePaths<Record>) throws {
    let record = try Record(_reading: row)
    let place = row.advanced(by: Int32(Record.columnCount))
    let path = try paths.read(place, at: 1, endingWith: record.key)
    self.init(record: record, depth: try place.value(at: 0, as: Int.self), path: path)
  }
}

/// The fields of a tree's rows: those of the record, and its place in the tree.
@dynamicMemberLookup
public struct TreeFields<Record: StoredRecord>: Sendable {
  /// The record's own fields, including those with the name of a field below.
  public var record: Record.Fields { Record.fields }

  /// The number of steps from the start of the tree to the record.
  public var depth: Field<Int> { Field(.tree(.depth), as: Int.self) }

  /// The keys on the path from the start to the record, including both.
  public var path: Field<[Record.Key]> { Field(.tree(.path), as: TreePathCoding<Record>.self) }

  /// The position of the row in the order of the tree, which ``Selection/orderSiblings(_:)-((Record.Fields)->Key)``
  /// determines. Rows are ordered by it unless the query has another ordering.
  public var position: Field<Int> { Field(.tree(.position), as: Int.self) }

  /// The number of rows.
  public func count() -> Field<Int> { record.count() }

  /// The number of rows that satisfy the condition.
  public func count(where condition: Field<Bool>) -> Field<Int> { record.count(where: condition) }

  public subscript<Member>(dynamicMember keyPath: KeyPath<Record.Fields, Member>) -> Member {
    record[keyPath: keyPath]
  }
}

/// A row of a tree as a whole.
extension TreeFields: SelectionPart {
  public var _selected: SelectedFields<TreeRow<Record>> { SelectedFields(TreeRow<Record>.self, in: .root) }
}
