import GRDB

// Conformances that others imply are listed too. The compiler (6.3) does not find an implied conformance of a type in
// another file when an expression like `Item.where { … }` is the first to ask for it.

/// Makes a struct a record: its values are the rows of one table.
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
/// Every stored property is a column, in the order of declaration. Its type is written out, unless its initial value is a
/// literal; an initial value that is constant (a literal, `.member`, `Type.member`, or a collection of those) is also the
/// column's default in SQL. The key is the property `id`, or the properties marked ``PrimaryKey()``; SQLite assigns a key
/// of the type `Int64?`.
///
/// Associations are static properties made by `hasMany` and `belongsTo`. Indexes of expressions, of some rows only, or
/// with another collation are declared in the body, as `static let indexes: [Index<TodoTask>]`.
///
/// - Parameters:
///   - tableName: The name of the table; the type's name in camel case unless given.
///   - indexes: The indexes of the table.
@attached(member, names: named(Fields), named(_Codings), named(Key), named(table), named(indexes))
@attached(
  extension, conformances: StoredRecord, Selectable, FetchableRecord, Identifiable,
  names: named(init(_reading:)), named(init(_values:)), named(_bind(to:)), named(_storageValue(at:)), named(key),
  named(_key(_values:)), named(_bind(key:to:from:)), named(id)
)
public macro Record(_ tableName: String? = nil, indexes: [IndexPlaceholder] = []) =
  #externalMacro(module: "SanderlingMacros", type: "RecordMacro")

/// Makes a struct a record of a view, or of another table that is only read, as a full-text table is.
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
/// The key is what tells the view's rows from each other: the property `id`, or the properties marked ``PrimaryKey()``. SQLite can't
/// check it.
///
/// The store doesn't make the view: the app's extras do, see
/// ``Store/init(path:schema:durability:migrator:extras:configuration:tracing:clock:liveInterval:audit:seed:)``. Opening checks that it has
/// the columns. Live queries over it are run again when the tables change that it reads. Writing throws
/// ``StoreError/invalidQuery(_:)``, unless the view has triggers for it (INSTEAD OF).
///
/// - Parameter view: The name of the view.
@attached(member, names: named(Fields), named(_Codings), named(Key), named(table), named(indexes))
@attached(
  extension, conformances: StoredRecord, Selectable, FetchableRecord, Identifiable,
  names: named(init(_reading:)), named(init(_values:)), named(_bind(to:)), named(_storageValue(at:)), named(key),
  named(_key(_values:)), named(_bind(key:to:from:)), named(id)
)
public macro Record(view: String) = #externalMacro(module: "SanderlingMacros", type: "RecordMacro")

/// Makes a struct the selected columns and aggregates of a record.
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
/// Every stored property takes its values from the static of its name, or else from the record's column of its name.
@attached(member, names: named(Fields), named(Source), named(_properties), named(_terms))
@attached(extension, conformances: StoredProjection, Selectable, Identifiable, names: named(init(_reading:)))
public macro Projection<R: StoredRecord>(of record: R.Type) =
  #externalMacro(module: "SanderlingMacros", type: "ProjectionMacro")

/// Chooses how a property of a record is stored.
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
///   - columnName: The name of the column; the property's name unless given.
///   - coding: How the values are stored.
///   - expression: An SQL expression that gives the column's value to rows that are written without it.
///   - collation: How SQL compares the column's texts.
///   - touch: When the database itself sets the column, to the time or to the next number.
@attached(peer)
public macro Stored(
  _ columnName: String? = nil, as coding: CodingPlaceholder? = nil, default expression: String? = nil,
  collation: Collation = .binary, touch: ColumnTouch? = nil
) = #externalMacro(module: "SanderlingMacros", type: "StoredMacro")

/// Chooses how a property of a record is stored, by a coding of one's own.
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

/// Marks the property, or each of the properties, that identify a record.
///
/// A record without the mark is identified by its property `id`.
@attached(peer)
public macro PrimaryKey() = #externalMacro(module: "SanderlingMacros", type: "PrimaryKeyMacro")

/// Has the table keep the fold of a text, for searches: the text without case, diacritics and widths.
///
/// ```swift
/// @Searchable var title: String
/// ```
///
/// Without arguments that is ``SearchKind/prefix``: the table gets a column more, named like the text's with `_folded` at its end, which the
/// record doesn't have, and an index on it. ``Field/folded-1zepl`` is its field. With ``SearchKind/words`` and ``SearchKind/substrings``, the text
/// gets full-text indexes, which ``Field/matches(_:in:)`` uses:
///
/// ```swift
/// @Searchable(.prefix, .words) var title: String
/// @Searchable(.words) var body: String
/// ```
///
/// All are kept for every writer, plain SQL and other processes included. <doc:Searching> gives the cost of each.
///
/// The property is a `String` or `String?`.
@attached(peer)
public macro Searchable(_ kinds: SearchKind...) = #externalMacro(module: "SanderlingMacros", type: "SearchableMacro")

/// The coding of a property whose type is its own, for the code that ``Record(_:indexes:)`` generates.
///
/// It is an alias of its argument, and the one place where the compiler objects to a type that isn't a ``ColumnValue``.
public typealias _OwnCoding<Value: ColumnValue> = Value

/// Says how a type becomes a column value, for the code that ``Record(_:indexes:)`` generates.
public func _storable<Value: ColumnValue>(_ type: Value.Type) {}

@available(
  *, unavailable,
  message: "declare the enum so: `enum Status: String, ColumnValue`, or with SortableColumnValue to sort by it"
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

/// The coding that a property chooses, for the code that ``Record(_:indexes:)`` generates.
///
/// It returns its first argument, and is the one place where the compiler objects to a coding of another type.
public typealias _CheckedCoding<Coding: ColumnCoding, Value> = Coding where Coding.Value == Value

extension Field {
  /// The field as it is, for the code that ``Projection(of:)`` generates.
  public static func _lifting(_ field: Field) -> Field { field }

  /// The field as an optional one, for the code that ``Projection(of:)`` generates.
  public static func _lifting<Wrapped>(_ field: Field<Wrapped>) -> Field where Value == Wrapped? { field.optional }
}

extension StorageValue {
  /// The storage form of a value, for the code that ``Record(_:indexes:)`` generates.
  ///
  /// A direct call of a coding's `encode` would warn, in generated code, wherever the coding never throws.
  @inlinable
  public init<Coding: ColumnCoding>(_ value: Coding.Value, as coding: Coding.Type) throws {
    self = try Coding.encode(value)
  }
}

/// A coding that comes with the library, as the attribute `@Stored(as:)` names it.
///
/// The macro reads the name; the value is never used.
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
  /// A UUID as upper-case text.
  case uuidText
  /// A UUID as lower-case text.
  case lowercaseUUIDText
}

/// An index in the argument of ``Record(_:indexes:)``.
///
/// The macro reads the names in the key paths and declares an ``Index`` with typed ones; the value is never used. Key paths
/// of the record itself can't stand there, since its fields don't exist before the macro is expanded.
public struct IndexPlaceholder: Sendable {
  /// An index on the properties, in order.
  public static func on(_ first: IndexedProperty, _ others: IndexedProperty...) -> IndexPlaceholder {
    IndexPlaceholder()
  }

  /// An index that no two rows have equal values in.
  public static func unique(on first: IndexedProperty, _ others: IndexedProperty...) -> IndexPlaceholder {
    IndexPlaceholder()
  }

  /// Has every property, so that any key path type-checks.
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
