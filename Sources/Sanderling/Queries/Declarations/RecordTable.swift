/// A table as a record type declares it.
public struct RecordTable: Sendable {
  /// The properties of a table. A class, so that copying a definition copies only a reference: definitions are read for
  /// every row.
  private final class Storage: Sendable {
    let name: String
    let columns: [RecordColumn]
    let key: [Int]
    let assignsKey: Bool
    let references: [ReferenceDefinition]
    let indexes: [IndexDefinition]
    let isTouched: Bool
    let deletion: Int?
    let isView: Bool
    let folded: [FoldedColumn]
    let rowID: Int?
    let searchIndex: SearchIndex?
    let statements: TableStatements

    init(
      name: String, columns: [RecordColumn], key: [Int], assignsKey: Bool, references: [ReferenceDefinition],
      indexes: [IndexDefinition], isView: Bool
    ) {
      self.name = name
      self.columns = columns
      self.key = key
      self.assignsKey = assignsKey
      self.references = references
      self.indexes = indexes
      isTouched = columns.contains { $0.touch != nil && $0.touch != .onDelete }
      deletion = columns.firstIndex { $0.touch == .onDelete }
      self.isView = isView
      folded = columns.indices.filter { columns[$0].searchKinds.contains(.prefix) }.map {
        FoldedColumn(of: columns[$0], at: $0)
      }
      rowID = Self.rowID(of: columns, key: key, assignsKey: assignsKey)
      searchIndex = SearchIndex(name, columns, rowID: rowID.map { columns[$0].name })
      statements = TableStatements(name: name, columns: columns, key: key, folded: folded)
    }

    private static func rowID(of columns: [RecordColumn], key: [Int], assignsKey: Bool) -> Int? {
      guard key.count == 1, let index = key.first, columns[index].type == .integer else { return nil }
      if case .expression = columns[index].defaultValue { return nil }
      return assignsKey || !columns[index].acceptsNull ? index : nil
    }
  }

  private let storage: Storage

  /// The name of the table.
  public var name: String { storage.name }
  /// The columns, in the order of the properties.
  public var columns: [RecordColumn] { storage.columns }
  /// The positions of the key's columns.
  public var key: [Int] { storage.key }
  /// Whether SQLite assigns the key when a record is inserted without one.
  public var assignsKey: Bool { storage.assignsKey }
  /// The foreign keys.
  public var references: [ReferenceDefinition] { storage.references }
  /// The indexes that the record declares.
  public var indexes: [IndexDefinition] { storage.indexes }
  /// Whether the database itself sets columns when rows are written.
  var isTouched: Bool { storage.isTouched }
  /// The position of the column with the time of deletion; nil if deleting removes rows.
  var deletion: Int? { storage.deletion }
  /// Whether the table is made by the app and only read: a view, or a virtual table.
  public var isView: Bool { storage.isView }
  /// The columns without a property: the folded texts of searched columns.
  package var folded: [FoldedColumn] { storage.folded }
  /// The full-text indexes of the searched columns, if any.
  package var searchIndex: SearchIndex? { storage.searchIndex }
  /// The names of the columns without a property, which the store maintains.
  package var derivedColumns: [String] {
    folded.map(\.name) + (searchIndex?.hasDocumentColumn == true ? [SearchIndex.documentColumn] : [])
  }
  var statements: TableStatements { storage.statements }

  /// Declares the table of a record, as the macro does.
  ///
  /// - Parameters:
  ///   - key: The names of the key's properties.
  public init<R: StoredRecord>(
    _ record: R.Type, name: String, columns: [RecordColumn], key: [String], assignsKey: Bool,
    references: [ReferenceDefinition], indexes: [IndexDefinition], isView: Bool = false
  ) {
    let positions = key.map { property in
      guard let index = columns.firstIndex(where: { $0.property.isIdentical(to: property) }) else {
        // A mistake in a declaration, which doesn't depend on data.
        preconditionFailure("the key of \(R.self) names '\(property)', and \(R.self) has no such stored property")
      }
      return index
    }
    storage = Storage(
      name: name, columns: columns, key: positions, assignsKey: assignsKey, references: references, indexes: indexes,
      isView: isView)
  }

  /// Creates a table without a declared type, as found in a database.
  ///
  /// - Parameter key: The positions of the key's columns.
  package init(found name: String, columns: [RecordColumn], key: [Int]) {
    storage = Storage(
      name: name, columns: columns, key: key, assignsKey: false, references: [], indexes: [], isView: false)
  }

  /// The column that stores a property.
  package func column(ofProperty property: String) -> RecordColumn? {
    columns.first { $0.property.isIdentical(to: property) }
  }

  package var keyColumns: [RecordColumn] {
    key.map { columns[$0] }
  }

  /// Whether the key is SQLite's rowid in a table that the store makes. Such a key needs no index of its own.
  ///
  /// SQLite ignores the default of a rowid. A constant default makes no sense for a key and is left out. A default that
  /// is an expression is intended, so that its column isn't the rowid.
  var keyIsRowID: Bool { storage.rowID != nil }
}

/// One column of a table.
public struct RecordColumn: Sendable {
  /// The name of the column.
  public let name: String
  /// The name of the property that the column stores.
  public let property: String
  /// The declared type of the column.
  public let type: ColumnType
  /// Whether the column may be NULL.
  public let acceptsNull: Bool
  /// The value in rows that are written without the column; nil for none.
  public let defaultValue: ColumnDefault?
  /// The collation of the column: how SQLite compares and sorts its texts.
  public let collation: Collation
  /// The writes at which the database itself sets the column; nil for none.
  public let touch: ColumnTouch?
  /// The ways to find the column's texts without case, diacritics and widths.
  public let searchKinds: Set<SearchKind>
  package let form: ColumnForm

  /// Declares a column, as the macro does for each stored property. By default, the property has the column's name.
  public init<Coding: ColumnCoding>(
    _ name: String, property: String? = nil, as coding: Coding.Type, default defaultValue: ColumnDefault? = nil,
    collation: Collation = .binary, touch: ColumnTouch? = nil, searchable searchKinds: Set<SearchKind> = []
  ) {
    self.name = name
    self.property = property ?? name
    type = Coding.columnType
    acceptsNull = Coding.acceptsNull
    form = ColumnForm(Coding.self)
    self.defaultValue = defaultValue
    self.collation = collation
    self.touch = touch
    self.searchKinds = searchKinds
  }
}

/// The value of a column in rows that are written without it.
public enum ColumnDefault: Sendable {
  /// A constant value.
  case constant(StorageValue)
  /// An SQL expression, which SQLite evaluates for each row.
  case expression(String)
  /// The reason why a Swift value can't be stored. Opening a store that needs the value fails with this reason.
  case invalid(String)

  /// The default for a Swift value in its stored form.
  public static func value<Coding: ColumnCoding>(_ coding: Coding.Type, _ value: Coding.Value) -> ColumnDefault {
    do {
      return .constant(try Coding.encode(value))
    } catch {
      return .invalid((error as? ValueError)?.message ?? String(describing: error))
    }
  }

  /// An SQL expression, which SQLite evaluates for each row.
  public static func sql(_ expression: String) -> ColumnDefault {
    .expression(expression)
  }
}

/// The action on a row when the row that it refers to is deleted, or its key changes.
public enum ForeignKeyAction: String, Sendable, Hashable {
  /// The change fails at the end of the statement if rows still refer to the row.
  case noAction = "NO ACTION"
  /// The change fails at once if rows refer to the row.
  case restrict = "RESTRICT"
  /// The columns that refer to the row become NULL.
  case setNull = "SET NULL"
  /// The columns that refer to the row get their default values.
  case setDefault = "SET DEFAULT"
  /// Rows that refer to a deleted row are deleted. Rows that refer to a changed key get the new key.
  case cascade = "CASCADE"
}

/// A column that holds the key of another record.
public struct ReferenceDefinition: Sendable {
  /// The property that holds the key.
  public let property: String
  package let destination: RecordType
  /// The action when the other record is deleted.
  public let onDelete: ForeignKeyAction
  /// The action when the key of the other record changes.
  public let onUpdate: ForeignKeyAction

  /// Declares that a property holds the key of another record.
  public init(
    _ property: String, to record: any StoredRecord.Type, onDelete: ForeignKeyAction = .noAction,
    onUpdate: ForeignKeyAction = .noAction
  ) {
    self.property = property
    destination = RecordType(record)
    self.onDelete = onDelete
    self.onUpdate = onUpdate
  }
}

extension RecordTable {
  /// A suffix for the reason of an error, with the row's key. Empty if the key has values other than integers and
  /// UUIDs.
  ///
  /// - Parameter values: The row's columns as ``StorageValue/key`` names them.
  func place(ofRow values: [String?]) -> String {
    let parts = key.compactMap { index in
      values.indices.contains(index) ? values[index].map { "\(columns[index].name) \($0)" } : nil
    }
    return parts.count == key.count ? ", in the row with \(parts.joined(separator: ", "))" : ""
  }
}
