import Sanderling

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
  public let record: SyncedRecord
  /// Of the collection, below the server's address; percent-encoded.
  public var path: String
  /// Sent with each request for rows.
  public var query: [String: String] = [:]
  /// The member of the answer that has the rows; nil where the answer is their array.
  public var rows: String?
  /// What columns are called at the server, and how their values are written there. A column that isn't among them has its own name.
  public var fields: [String: HTTPField] = [:]
  /// Fields of the server that have no column and aren't kept either. Others are kept for a version of the app that has one.
  public var ignoredFields: Set<String> = []
  /// What tells records apart in paths, and at the server.
  public var key: HTTPKey
  /// The field with the version of a row; nil without versions.
  public var version: String?
  /// The field that is true, or not empty, in rows that were deleted.
  public var deletedFlag: String?
  /// How the server is asked for what changed. Without it everything is read each time, and what isn't there any more is removed.
  public var since: HTTPSince?
  /// How one page follows another.
  public var pages = HTTPPages.single
  /// Where the server says how many rows it has, for ``SyncProgress/estimate``; nil where it doesn't.
  public var count: HTTPCount?
  /// Where the server says what its collection began with, and so that it began anew.
  public var incarnation: HTTPIncarnation?
  /// Whether the answer's ETag is that of the whole collection, so that the server is asked only whether it changed.
  public var hasCollectionTag = false
  /// How the device's changes are sent; nil for a record that is only read.
  public var writes: HTTPWrites?

  /// - Parameters:
  ///   - path: Of the collection, below the server's address; percent-encoded.
  ///   - idField: The field with what ``HTTPKey`` makes of the key; nil where the fields of the key's columns have it.
  public init(_ record: SyncedRecord, path: String, idField: String? = nil) {
    self.record = record
    self.path = path
    key = HTTPKey(record, idField: idField)
  }
}

/// What a column is called at a server, and how its values are written there.
public struct HTTPField: Sendable, Hashable, ExpressibleByStringLiteral {
  enum Form: Sendable { case column, seconds, milliseconds, text }
  public let name: String
  let form: Form

  init(_ name: String, _ form: Form) {
    self.name = name
    self.form = form
  }

  /// As its column's values are: truth values, numbers, texts, JSON, dates of ISO 8601, UUIDs, blobs in base64.
  public init(_ name: String) { self.init(name, .column) }
  public init(stringLiteral name: String) { self.init(name) }

  /// A date as the number of seconds since 1970.
  public static func seconds(_ name: String) -> Self { HTTPField(name, .seconds) }
  /// A date as the number of milliseconds since 1970.
  public static func milliseconds(_ name: String) -> Self { HTTPField(name, .milliseconds) }
  /// A text with JSON in it, or a number written as text.
  public static func text(_ name: String) -> Self { HTTPField(name, .text) }
}

/// How the server is asked for what changed since.
public struct HTTPSince: Sendable {
  /// What rows of one value are told apart by.
  public enum Order: Sendable, Hashable {
    /// No two rows ever have the same value.
    case unique
    /// Rows are in the order of the value and, where it is the same, of this field.
    case key(String)
    /// Rows of one value come in any order, so that all of the last value are read again.
    case repeated
  }

  /// Where the answer has the value from which to go on.
  public enum Place: Sendable, Hashable {
    /// In the last row: rows come in the order of this field.
    case field(String, Order)
    /// In the answer's header.
    case header(String)
    /// In a member of the answer, beside the rows.
    case member(String)
  }

  /// From where to go on.
  public struct Mark: Sendable, Hashable {
    public let value: String
    /// Of the field of ``Order/key(_:)``.
    public let key: String?
  }

  let place: Place
  let query: @Sendable (Mark) -> [String: String]
  /// How long a write may take on the server from getting its value to being seen, where values are dates or milliseconds since 1970. Each
  /// synchronisation begins so much before the last answer of the one before. Rows that are read again and are as before aren't written.
  public var overlap: Duration = .zero

  /// - Parameter query: The parameters for what comes after a mark.
  public init(_ place: Place, query: @escaping @Sendable (Mark) -> [String: String]) {
    self.place = place
    self.query = query
  }

  /// - Parameter parameter: The parameter that takes the value.
  public init(_ place: Place, parameter: String) {
    self.init(place) { [parameter: $0.value] }
  }
}

/// How one page follows another.
public enum HTTPPages: Sendable, Hashable {
  /// There is one.
  case single
  /// The server is asked for what comes after the last row, as long as pages have this many rows. Needs ``HTTPSince/Place/field(_:_:)``.
  case afterLastRow(size: Int)
  /// The same, as long as the answer has this header.
  case whileHeader(String)
  /// A header has the address of the next page, as it is or as `Link: <…>; rel="next"`.
  case linkHeader(String)
  /// A member of the answer has the address of the next page.
  case linkMember(String)
  /// A member of the answer has what this parameter takes for the next page.
  case token(member: String, parameter: String)
  /// Pages have numbers, as long as they have this many rows. Only for rows that never change their place: one that leaves a page which was
  /// read moves the next one where nobody looks.
  case numbers(parameter: String, first: Int = 1, size: Int)
}

/// Where a server says what its collection began with.
public struct HTTPIncarnation: Sendable, Hashable {
  let path: String
  let member: String

  /// - Parameters:
  ///   - path: What is read at the beginning of each synchronisation.
  ///   - member: Has another value when the collection was made anew, as in `data.id`.
  public init(path: String, member: String) {
    self.path = path
    self.member = member
  }
}
