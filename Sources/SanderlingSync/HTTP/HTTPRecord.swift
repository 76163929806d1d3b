import Foundation
public import Sanderling

/// How one kind of record is read from a server, and written to it.
///
/// ```swift
/// var notes = HTTPRecord(SyncedRecord(Note.self), path: "v2/notes")
/// notes.rows = "items"
/// notes.fields = ["createdAt": "created_at", "dueAt": .milliseconds("due_at")]
/// notes.version = "etag"
/// notes.deletedFlag = "is_deleted"
/// notes.since = HTTPSince(.field("updated_at", .key("id"))) { ["updated_after": $0.value, "after_id": $0.key ?? ""] }
/// notes.pages = .afterLastRow(size: 500)
/// notes.writes = HTTPWrites()
/// ```
public struct HTTPRecord: Sendable {
  /// The record that the declaration is for.
  public let record: SyncedRecord
  /// The path of the collection below the server's address, percent-encoded.
  public var path: String
  /// The parameters that are sent with each request for rows.
  public var query: [String: String] = [:]
  /// The member of the answer that contains the rows, such as `items` or `result.items`. Nil if the answer itself is
  /// their array.
  public var rows: String?
  /// The server's names of columns, with the forms of their values. A column that is missing here has its own name.
  public var fields: [String: HTTPField] = [:]
  /// The columns that stay on the device: they are neither sent nor read.
  ///
  /// A change of only these columns needs no request. In a row that the server created, they have their defaults. To
  /// name them by properties, use ``keepOnDevice(_:)``.
  public var localColumns: Set<String> = []
  /// The case of UUIDs in addresses and bodies. Exception: a row that the server sent keeps the id that the server gave
  /// it.
  public var uuids = HTTPUUIDs.lowercase
  /// The server's fields that have no column and are not kept. Other fields without a column are kept for a version of
  /// the app that has the column. The set may also name members beside the rows that look like a link to a next page
  /// and aren't.
  public var ignoredFields: Set<String> = []
  /// The key of the records in paths, and at the server.
  public var key: HTTPKey
  /// The field with the version of a row; nil without versions.
  public var version: String?
  /// The field that is true, or not empty, in rows that were deleted.
  public var deletedFlag: String?
  /// The way to ask the server for changes. Without it, each pull reads all rows, and removes rows that are missing.
  public var since: HTTPSince?
  /// The way from one page to the next.
  public var pages = HTTPPages.single
  /// The place in which the server gives the number of its rows, for ``SyncProgress/estimate``; nil if there is none.
  public var count: HTTPCount?
  /// The place in answers that identifies the present collection, and so shows that it was created again.
  public var incarnation: HTTPIncarnation?
  /// Whether the answer's ETag is that of the whole collection. The server is then only asked whether it has changed.
  public var hasCollectionTag = false
  /// How the device's changes are sent; nil for a record that is only read.
  public var writes: HTTPWrites?
  /// The columns of other tables that were named by mistake.
  private var misplaced: [String] = []

  /// Declares the place of a record at the server.
  ///
  /// - Parameters:
  ///   - path: The path of the collection below the server's address, percent-encoded.
  ///   - idField: The field with the key as ``HTTPKey`` encodes it; nil if the fields of the key's columns contain it.
  public init(_ record: SyncedRecord, path: String, idField: String? = nil) {
    self.record = record
    self.path = path
    key = HTTPKey(record, idField: idField)
  }
}

// MARK: - Validation

extension HTTPRecord {
  /// - Throws: ``HTTPError/invalidDeclaration(record:reason:)`` for a declaration that can't work or would lose data.
  func validate() throws {
    func fail(_ reason: String) throws { throw HTTPError.invalidDeclaration(record: record.name, reason: reason) }
    if let column = misplaced.first { try fail("it names \(column), and its table is \(record.table.name)") }
    let columns = Set(record.table.columns.map(\.name))
    if let unknown = fields.keys.sorted().first(where: { !columns.contains($0) }) {
      try fail("it names the field of \(unknown), and the table has no such column")
    }
    if let unknown = localColumns.sorted().first(where: { !columns.contains($0) }) {
      try fail("it keeps \(unknown) on the device, and the table has no such column")
    }
    if let key = record.table.keyColumns.first(where: { localColumns.contains($0.name) }) {
      try fail("it keeps \(key.name) on the device, and \(key.name) belongs to the key")
    }
    let names = record.table.columns.filter { !localColumns.contains($0.name) }.map { fields[$0.name]?.name ?? $0.name }
    if let twofold = Dictionary(grouping: names, by: { $0 }).first(where: { $1.count > 1 })?.key {
      try fail("two columns have the field \(twofold)")
    }
    if let writes, version == nil, [writes.update, writes.deletion].contains(where: { $0.precondition == .ifMatch }) {
      try fail(
        "its writes need the version for If-Match, and no field of its rows is declared as the version: a header of answers to writes gives no "
          + "version of rows that are read. Name the field (HTTPRecord.version), or declare writes without a precondition"
      )
    }
  }

  /// - Throws: ``HTTPError/invalidDeclaration(record:reason:)`` for pages that can't be followed.
  func validatePages() throws {
    switch (pages, since?.place) {
    case (.afterLastRow, .field), (.whileHeader, .field): break
    case (.afterLastRow, _), (.whileHeader, _):
      throw HTTPError.invalidDeclaration(
        record: record.name,
        reason:
          "its pages continue after the last row, and no field is declared for the place of that row. Declare since with .field"
      )
    default: break
    }
  }
}

// MARK: - Columns by properties

extension HTTPRecord {
  /// Gives the server's name for the column of a property, so that the compiler checks the property.
  ///
  /// ```swift
  /// notes.name(\Note.Fields.isPinned, "is_pinned")
  /// notes.name(\Note.Fields.dueAt, .milliseconds("due_at"))
  /// ```
  ///
  /// A property of another record is an error of the declaration, thrown before the first request.
  ///
  /// - Precondition: The property is a stored one.
  public mutating func name<Fields: _RecordFields>(_ property: PartialKeyPath<Fields>, _ field: HTTPField) {
    if let column = column(property) { fields[column] = field }
  }

  /// Keeps columns on the device, by their properties: see ``localColumns``.
  ///
  /// ```swift
  /// notes.keepOnDevice(\Note.Fields.draft, \Note.Fields.lastOpened)
  /// ```
  ///
  /// A property of another record is an error of the declaration, thrown before the first request.
  ///
  /// - Precondition: The properties are stored ones.
  public mutating func keepOnDevice<Fields: _RecordFields>(_ properties: PartialKeyPath<Fields>...) {
    for property in properties {
      if let column = column(property) { localColumns.insert(column) }
    }
  }

  /// - Returns: Nil for a property of another record, which is recorded as an error.
  private mutating func column<Fields: _RecordFields>(_ property: PartialKeyPath<Fields>) -> String? {
    let (column, table) = RecordColumn.at(property)
    if table.name == record.table.name { return column.name }
    misplaced.append("\(table.name).\(column.name)")
    return nil
  }
}

/// The case of the letters in UUIDs. RFC 9562 writes UUIDs in lower case.
public enum HTTPUUIDs: Sendable, Hashable {
  /// Letters in lower case.
  case lowercase
  /// Letters in upper case.
  case uppercase

  /// A text that isn't a UUID stays unchanged.
  func text(_ text: String) -> String {
    guard let id = UUID(uuidString: text) else { return text }
    return self == .uppercase ? id.uuidString : id.uuidString.lowercased()
  }
}

/// The server's name of a column, and how its values are written there.
public struct HTTPField: Sendable, Hashable, ExpressibleByStringLiteral {
  enum Form: Sendable { case column, seconds, milliseconds, text }
  /// The name of the field at the server.
  public let name: String
  let form: Form

  init(_ name: String, _ form: Form) {
    self.name = name
    self.form = form
  }

  /// Creates a field whose values have the usual form of their column: truth values, numbers, texts, JSON, dates of ISO
  /// 8601, UUIDs, or blobs in base64.
  public init(_ name: String) { self.init(name, .column) }
  public init(stringLiteral name: String) { self.init(name) }

  /// A date field with the number of seconds since 1970.
  public static func seconds(_ name: String) -> Self { HTTPField(name, .seconds) }
  /// A date field with the number of milliseconds since 1970.
  public static func milliseconds(_ name: String) -> Self { HTTPField(name, .milliseconds) }
  /// A text field that contains JSON, or a number.
  public static func text(_ name: String) -> Self { HTTPField(name, .text) }
}

/// The way to ask the server for later changes.
public struct HTTPSince: Sendable {
  /// The way rows with the same value are distinguished.
  public enum Order: Sendable, Hashable {
    /// No two rows ever have the same value.
    case unique
    /// Rows are in the order of the value. Rows with the same value are in the order of this field.
    case key(String)
    /// Rows with the same value come in any order, so all rows with the last value are read again.
    case repeated
  }

  /// The place in the answer with the value from which the next request continues.
  public enum Place: Sendable, Hashable {
    /// The value is in the last row. Rows come in the order of this field.
    case field(String, Order)
    /// The value is in this header of the answer.
    case header(String)
    /// The value is in this member of the answer, beside the rows.
    case member(String)
  }

  /// The mark from which a request continues.
  public struct Mark: Sendable, Hashable {
    /// The value of the last answer.
    public let value: String
    /// The value in the field of ``Order/key(_:)``; nil without such a field.
    public let key: String?
  }

  let place: Place
  let query: @Sendable (Mark) -> [String: String]
  /// The longest time on the server from the choice of a write's value until the write is visible. Used if values are
  /// dates or milliseconds since 1970. Each synchronisation begins this much before the last answer of the previous
  /// synchronisation. Rows that are read again unchanged aren't written.
  public var overlap: Duration = .zero
  /// The parameters with which the server gives the row with the greatest value first. The adapter requests this row at
  /// the beginning of each run, and after the server was unreachable.
  ///
  /// A value below the former value means that the server went back, as from a backup. Then everything is compared, and
  /// changes that the server lost are sent again. Needs ``Place/field(_:_:)``, and a server that keeps a flag in place
  /// of deleted rows.
  public var newest: [String: String]?

  /// Requests rows after a mark, with parameters of your own.
  ///
  /// - Parameter query: Returns the parameters for the rows after a mark.
  public init(_ place: Place, query: @escaping @Sendable (Mark) -> [String: String]) {
    self.place = place
    self.query = query
  }

  /// Requests rows after a mark, with the mark's value as a parameter.
  ///
  /// - Parameter parameter: The parameter that gets the value.
  public init(_ place: Place, parameter: String) {
    self.init(place) { [parameter: $0.value] }
  }
}

/// The way from one page to the next.
///
/// A page counts as the last only if the answer shows that. A page that is shorter than expected may come from a server
/// that gives fewer rows than requested. Paths of members have dots, such as `meta.next_cursor`.
public enum HTTPPages: Sendable, Hashable {
  /// There is one page. A next page in the header `Link` is an error. So is a member such as `next`, `next_cursor`,
  /// `has_more` or `links.next` that announces a next page, unless ``HTTPRecord/ignoredFields`` or ``HTTPSince`` names
  /// it.
  case single
  /// The server is asked for the rows after the last row, until there are none. Needs ``HTTPSince/Place/field(_:_:)``.
  case afterLastRow(size: Int)
  /// As ``afterLastRow(size:)``, as long as answers have this header. An answer without the header counts as the last
  /// page only after the header was seen once.
  case whileHeader(String)
  /// A header has the address of the next page, alone or as `Link: <…>; rel="next"`. The last page has no such header.
  /// Until an answer had the header, its name may be misspelt. Then the number of rows (``HTTPRecord/count``) must show
  /// that there is one page, or the header must be declared as omitted.
  case linkHeader(String, isOmittedAtEnd: Bool = false)
  /// A member of the answer has the address of the next page. On the last page, the member is null, "" or false. If the
  /// server omits it there, that has to be declared, or the server has to give the number of rows
  /// (``HTTPRecord/count``). Otherwise a missing member is an error until one answer had it.
  case linkMember(String, isOmittedAtEnd: Bool = false)
  /// A member of the answer has the value of a parameter for the next page. Otherwise like
  /// ``linkMember(_:isOmittedAtEnd:)``.
  case token(member: String, parameter: String, isOmittedAtEnd: Bool = false)
  /// Pages have numbers. The last page is followed by an empty page, a missing page (404), or itself again.
  ///
  /// Use it only for rows that never change their place. If a row leaves a page that was already read, the next row
  /// moves to a place that isn't read again.
  case numbers(parameter: String, first: Int = 1, size: Int)
}

/// The place in answers that identifies a collection, until it is created again.
public struct HTTPIncarnation: Sendable, Hashable {
  let path: String
  let member: String

  /// Declares the member that identifies the collection.
  ///
  /// - Parameters:
  ///   - path: The path that is read at the beginning of each synchronisation.
  ///   - member: A member whose value changes when the collection is created again, such as `data.id`.
  public init(path: String, member: String) {
    self.path = path
    self.member = member
  }
}
