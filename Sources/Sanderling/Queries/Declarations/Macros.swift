import GRDB

// Implied conformances are listed too. The compiler (6.3) doesn't find an implied conformance of a type in another file
// if an expression like `Item.where { … }` asks for it first.

/// Makes a struct a record, whose values are the rows of one table.
///
/// ```swift
/// @Record(indexes: [.on(\.projectID, \.isCompleted, .descending(\.dueAt))])
/// struct TodoTask {
///   var id: UUID
///   @References(Project.self, onDelete: .cascade) var projectID: UUID
///   var title: String
///   var isCompleted = false
///   var dueAt: Date?
///   static let project = belongsTo(Project.self, by: \.projectID)
/// }
/// ```
///
/// Every stored property is a column, in the order of declaration. A property's type must be written out, unless its
/// initial value is a literal. A constant initial value is also the column's default in SQL. Constants are literals,
/// `.member`, `Type.member`, and collections of these.
///
/// The key is the property `id`, or the properties marked ``PrimaryKey()``. SQLite assigns a key of the type `Int64?`.
///
/// Associations are static properties made by `hasMany` and `belongsTo`. Indexes of expressions, of some rows, or with
/// another collation are declared in the body, as `static let indexes: [Index<TodoTask>]`.
///
/// - Parameters:
///   - tableName: The name of the table; by default, the type's name in camel case.
///   - indexes: The indexes of the table.
@attached(member, names: named(Fields), named(_Codings), named(Key), named(table), named(indexes))
@attached(
  extension, conformances: StoredRecord, Selectable, FetchableRecord, Identifiable,
  names: named(init(_reading:)), named(init(_values:)), named(_bind(to:)), named(_storageValue(at:)), named(key),
  named(_key(_values:)), named(_bind(key:to:from:)), named(id), named(_keyPaths), named(_associations)
)
public macro Record(_ tableName: String? = nil, indexes: [IndexPlaceholder] = []) =
  #externalMacro(module: "SanderlingMacros", type: "RecordMacro")

/// Makes a struct a record of a view, or of a table that is only read: a full-text table, or rows of one kind in a table
/// that another record stores.
///
/// ```swift
/// @Record(view: "openTask")
/// struct OpenTask {
///   @PrimaryKey var taskID: UUID
///   var title: String
///   static let task = belongsTo(TodoTask.self, by: \.taskID)
/// }
/// ```
///
/// Several records may read one table, each with its own columns and rows. ``StoredRecord/defaultScope`` is the standing
/// condition on the rows:
///
/// ```swift
/// @Record(view: "ZBOOK")
/// struct GraphicNovel {
///   @PrimaryKey @Stored("Z_PK") var objectID: Int64
///   @Stored("Z_ENT") var entity: Int
///   @Stored("ZISBLACKANDWHITE") var isBlackAndWhite: Bool
///   static let defaultScope = Condition<GraphicNovel> { $0.entity == 2 }
/// }
/// ```
///
/// The key distinguishes the view's rows: it is the property `id`, or the properties marked ``PrimaryKey()``. SQLite
/// can't check it.
///
/// The app's extras make the view, not the store: see
/// ``Store/init(path:schema:durability:migrator:extras:configuration:tracing:clock:liveInterval:audit:seed:)``. Opening
/// checks that the view has the columns. Live queries over the view are rerun when a table that it reads changes.
/// Writing throws ``StoreError/invalidQuery(_:)``, unless the view has INSTEAD OF triggers.
///
/// - Parameter view: The name of the view.
@attached(member, names: named(Fields), named(_Codings), named(Key), named(table), named(indexes))
@attached(
  extension, conformances: StoredRecord, Selectable, FetchableRecord, Identifiable,
  names: named(init(_reading:)), named(init(_values:)), named(_bind(to:)), named(_storageValue(at:)), named(key),
  named(_key(_values:)), named(_bind(key:to:from:)), named(id), named(_keyPaths), named(_associations)
)
public macro Record(view: String) = #externalMacro(module: "SanderlingMacros", type: "RecordMacro")

/// Makes a struct a projection: selected columns and aggregates of a record.
///
/// ```swift
/// @Projection(of: Project.self)
/// struct ProjectSummary {
///   var id: UUID
///   var name: String
///   var openTasks: Int
///   static let openTasks = aggregate { $0.tasks.filter { !$0.isCompleted }.count }
/// }
/// ```
///
/// Every stored property takes its values from the static property of its name, or else from the record's column of its
/// name.
@attached(member, names: named(Fields), named(Source), named(_properties), named(_terms))
@attached(extension, conformances: StoredProjection, Selectable, Identifiable, names: named(init(_reading:)))
public macro Projection<R: StoredRecord>(of record: R.Type) =
  #externalMacro(module: "SanderlingMacros", type: "ProjectionMacro")

/// Determines how a property of a record is stored.
///
/// ```swift
/// @Stored("task_title") var title: String
/// @Stored(as: .json) var tags: [String] = []
/// @Stored(default: "unixepoch()") var created: Int
/// @Stored(collation: .nocase) var login: String
/// @Stored(touch: .onUpdate) var changedAt: Date?
/// ```
///
/// - Parameters:
///   - columnName: The name of the column; by default, the property's name.
///   - coding: The stored form of the values.
///   - expression: An SQL expression for the column's value in rows that are written without it.
///   - collation: The collation of the column's texts in SQL.
///   - touch: The writes at which the database itself sets the column, to the time or to the next number.
@attached(peer)
public macro Stored(
  _ columnName: String? = nil, as coding: CodingPlaceholder? = nil, default expression: String? = nil,
  collation: Collation = .binary, touch: ColumnTouch? = nil
) = #externalMacro(module: "SanderlingMacros", type: "StoredMacro")

/// Determines how a property of a record is stored, by a coding of the app.
///
/// ```swift
/// @Stored(as: Cents.self) var price: Decimal
/// ```
@attached(peer)
public macro Stored(
  _ columnName: String? = nil, as coding: any ColumnCoding.Type, default expression: String? = nil,
  collation: Collation = .binary, touch: ColumnTouch? = nil
) = #externalMacro(module: "SanderlingMacros", type: "StoredMacro")

/// Declares that a property holds the key of another record: a foreign key.
///
/// ```swift
/// @References(Project.self, onDelete: .cascade) var projectID: UUID
/// ```
@attached(peer)
public macro References<R: StoredRecord>(
  _ record: R.Type, onDelete: ForeignKeyAction = .noAction, onUpdate: ForeignKeyAction = .noAction
) = #externalMacro(module: "SanderlingMacros", type: "ReferencesMacro")

/// Marks a property as the key of a record, or as a part of it.
///
/// A record without the mark is identified by its property `id`.
@attached(peer)
public macro PrimaryKey() = #externalMacro(module: "SanderlingMacros", type: "PrimaryKeyMacro")

/// Makes a text searchable without case, diacritics and widths.
///
/// ```swift
/// @Searchable var title: String
/// ```
///
/// The default kind is ``SearchKind/prefix``: the table gets a further column with the folded texts, and an index on
/// it. The column is named like the text's with the suffix `_folded`, and no property of the record holds it.
/// ``Field/folded-1zepl`` is its field. With ``SearchKind/words`` and ``SearchKind/substrings``, the text gets
/// full-text indexes, which ``Field/matches(_:in:)`` uses:
///
/// ```swift
/// @Searchable(.prefix, .words) var title: String
/// @Searchable(.words) var body: String
/// ```
///
/// All are maintained for every writer, including plain SQL and other processes. <doc:Searching> gives the cost of each
/// kind.
///
/// The property must be a `String` or `String?`.
@attached(peer)
public macro Searchable(_ kinds: SearchKind...) = #externalMacro(module: "SanderlingMacros", type: "SearchableMacro")

/// The coding of a property that is its own coding, for the code that ``Record(_:indexes:)`` generates.
///
/// The alias of its argument makes the compiler report a type that isn't a ``ColumnValue`` in one place.
public typealias _OwnCoding<Value: ColumnValue> = Value

/// Requires that a type is a column value, for the code that ``Record(_:indexes:)`` generates.
public func _storable<Value: ColumnValue>(_ type: Value.Type) {}

@available(
  *, unavailable,
  message: "conform the enum to ColumnValue: `enum Status: String, ColumnValue`; to sort by it, to SortableColumnValue"
)
public func _storable<Value: RawRepresentable>(_ type: Value.Type) {}

@available(
  *, unavailable,
  message: """
    a column stores one value: write `enum Status: String, ColumnValue` for an enum, @Stored(as: .json) before a Codable property, \
    or conform the type to ColumnValue
    """
)
@_disfavoredOverload
public func _storable<Value>(_ type: Value.Type) {}

/// The coding that a property declares, for the code that ``Record(_:indexes:)`` generates.
///
/// The alias of its first argument makes the compiler report a coding of another type in one place.
public typealias _CheckedCoding<Coding: ColumnCoding, Value> = Coding where Coding.Value == Value

extension Field {
  /// The unchanged field, for the code that ``Projection(of:)`` generates.
  public static func _lifting(_ field: Field) -> Field { field }

  /// The field as an optional one, for the code that ``Projection(of:)`` generates.
  public static func _lifting<Wrapped>(_ field: Field<Wrapped>) -> Field where Value == Wrapped? { field.optional }
}

extension StorageValue {
  /// The storage form of a value, for the code that ``Record(_:indexes:)`` generates.
  ///
  /// In generated code, a direct call of a coding's `encode` would cause a warning if the coding never throws.
  @inlinable
  public init<Coding: ColumnCoding>(_ value: Coding.Value, as coding: Coding.Type) throws {
    self = try Coding.encode(value)
  }
}

/// A coding of the library, as the argument of `@Stored(as:)`.
///
/// The macro reads the name. The value is never used.
public enum CodingPlaceholder: Sendable {
  /// Any `Codable` value, as JSON text.
  case json
  /// A date in UTC as the text "yyyy-MM-dd HH:mm:ss.SSS", as GRDB stores it.
  case dateText
  /// A date as ISO 8601 text.
  case iso8601
  /// A date as the number of seconds since 1970.
  case unixSeconds
  /// A date as the number of milliseconds since 1970.
  case unixMilliseconds
  /// A decimal as a number of SQLite, as Core Data stores it.
  case decimalNumber
  /// A UUID as upper-case text.
  case uuidText
  /// A UUID as lower-case text.
  case lowercaseUUIDText
}

/// An index in the argument of ``Record(_:indexes:)``.
///
/// The macro reads the names in the key paths and declares an ``Index`` with typed key paths. The value is never used.
/// Key paths of the record itself can't be used, since its fields don't exist before the macro is expanded.
public struct IndexPlaceholder: Sendable {
  /// An index on the properties, in order.
  public static func on(_ first: IndexedProperty, _ others: IndexedProperty...) -> IndexPlaceholder {
    IndexPlaceholder()
  }

  /// A unique index on the properties: no two rows are equal in all of them.
  public static func unique(on first: IndexedProperty, _ others: IndexedProperty...) -> IndexPlaceholder {
    IndexPlaceholder()
  }

  /// A type with every property, so that any key path type-checks.
  @dynamicMemberLookup
  public struct Properties {
    public subscript(dynamicMember name: String) -> Property { Property() }
  }

  /// The end of each key path of an ``IndexedProperty``.
  public struct Property {}
}

/// A property in an ``IndexPlaceholder``: `\.dueAt`, or `.descending(\.dueAt)`.
public typealias IndexedProperty = KeyPath<IndexPlaceholder.Properties, IndexPlaceholder.Property>

extension KeyPath where Root == IndexPlaceholder.Properties, Value == IndexPlaceholder.Property {
  /// The property in descending order.
  public static func descending(_ property: IndexedProperty) -> IndexedProperty { property }
}
