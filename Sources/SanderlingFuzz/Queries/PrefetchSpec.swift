import Sanderling

/// The associated records that are read with each record of a query.
struct PrefetchSpec: Sendable {
  /// The associations that are followed.
  enum Shape: String, CaseIterable, Sendable {
    case crates = "crates"
    case family = "parent, children, sealed crates"
    case cratesWithNotes = "crates with notes and owner"
    case tagsWithNotes = "tags with notes, notes, open place"
    case crateWithPlace = "crate with place, tag"
    case staff = "boss, reports, crates"

    var root: any FuzzRecord.Type {
      switch self {
      case .crates, .family, .cratesWithNotes: Place.self
      case .tagsWithNotes: Crate.self
      case .crateWithPlace: Note.self
      case .staff: Person.self
      }
    }

    /// The records at the end of to-many associations, each with its own part.
    var children: [any FuzzRecord.Type] {
      switch self {
      case .crates: [Crate.self]
      case .family: [Place.self, Crate.self]
      case .cratesWithNotes: [Crate.self, Note.self]
      case .tagsWithNotes: [Tag.self, Note.self, Note.self]
      case .crateWithPlace: []
      case .staff: [Person.self, Crate.self]
      }
    }

    /// The records at the end of to-one associations.
    var parents: [any FuzzRecord.Type] {
      switch self {
      case .crates: []
      case .family, .tagsWithNotes: [Place.self]
      case .cratesWithNotes, .staff: [Person.self]
      case .crateWithPlace: [Crate.self, Place.self, Tag.self]
      }
    }

    var isNested: Bool {
      switch self {
      case .cratesWithNotes, .tagsWithNotes, .crateWithPlace: true
      case .crates, .family, .staff: false
      }
    }
  }

  /// The filter, order and limit of the rows of a to-many association.
  struct Part: Sendable {
    var condition: Term?
    var orderings: [Ordering]
    var limit: Int?

    func query<R: FuzzRecord>(_ query: Selection<R, R>) -> Selection<R, R> {
      Selection(statement: statement(of: R.self), decode: query.decode, decodeAll: query.decodeAll)
    }

    /// The SELECT of the associated records. Its order is total: the library appends the key to an ordering, or orders
    /// by the key alone.
    func statement(of record: any FuzzRecord.Type) -> SelectStatement {
      var statement = SelectStatement(source: .table(RecordType(record)), columns: record._terms.map(\.term))
      statement.condition = condition
      statement.orderings =
        orderings.isEmpty ? record.table.key.map { Ordering(term: record._terms[$0].term) } : orderings
      statement.limit = limit
      return statement
    }
  }

  var shape: Shape
  var parts: [Part]

  var description: String {
    let queries = zip(shape.children, parts).map { child, part in
      var statement = part.statement(of: child)
      statement.columns = [child._terms[0].term]
      return "\n        " + ((try? SQLCompiler.compile(statement).description) ?? "invalid \(statement)")
    }
    return shape.rawValue + queries.joined()
  }

  /// Fails if a table or a column is missing. Live results always fail then, but a fetch fails only if a row has
  /// associated records.
  func requireTables(_ tx: ReadTransaction) throws {
    let children = zip(shape.children, parts).map { $1.statement(of: $0) }
    let parents = shape.parents.map { SelectStatement(source: .table(RecordType($0)), columns: $0._terms.map(\.term)) }
    for var statement in children + parents {
      statement.limit = 0
      // The statement must run: a connection may have prepared it for an earlier schema.
      _ = try tx.fetch(LiveQuerySpec(form: .rows, reading: .stored, statement: statement, window: 1).query)
    }
  }

  /// The query with associated records for the rows of a statement.
  func query(_ statement: SelectStatement) -> PrefetchedQuery {
    switch shape {
    case .crates:
      return PrefetchedQuery(Place.all(statement).with(Place.crates.prefetch(parts[0].query))) {
        try $0.storedValues() + list($1)
      }
    case .family:
      return PrefetchedQuery(
        Place.all(statement).with(
          Place.parent.prefetch(), Place.children.prefetch(parts[0].query), Place.sealedCrates.prefetch(parts[1].query))
      ) { try $0.storedValues() + list([$1].compactMap { $0 }) + list($2) + list($3) }
    case .cratesWithNotes:
      let (crates, notes) = (parts[0], parts[1])
      return PrefetchedQuery(
        Place.all(statement).with(
          Place.crates.prefetch { crates.query($0).with(Crate.notes.prefetch(notes.query), Crate.owner.prefetch()) })
      ) { place, crates in
        try place.storedValues() + list(crates) { try $0.storedValues() + list($1) + list([$2].compactMap { $0 }) }
      }
    case .tagsWithNotes:
      let (tags, notes) = (parts[0], parts[1])
      return PrefetchedQuery(
        Crate.all(statement).with(
          Crate.tags.prefetch { tags.query($0).with(Tag.notes.prefetch(notes.query)) },
          Crate.notes.prefetch(parts[2].query), Crate.openPlace.prefetch())
      ) { crate, tags, notes, place in
        try crate.storedValues() + list(tags) { try $0.storedValues() + list($1) } + list(notes)
          + list([place].compactMap { $0 })
      }
    case .crateWithPlace:
      return PrefetchedQuery(
        Note.all(statement).with(Note.crate.prefetch { $0.with(Crate.place.prefetch()) }, Note.tag.prefetch())
      ) { note, crate, tag in
        try note.storedValues()
          + list([crate].compactMap { $0 }) { try $0.storedValues() + list([$1].compactMap { $0 }) }
          + list([tag].compactMap { $0 })
      }
    case .staff:
      return PrefetchedQuery(
        Person.all(statement).with(
          Person.boss.prefetch(), Person.reports.prefetch(parts[0].query), Person.crates.prefetch(parts[1].query))
      ) { try $0.storedValues() + list([$1].compactMap { $0 }) + list($2) + list($3) }
    }
  }
}

extension FuzzRecord {
  fileprivate static func all(_ statement: SelectStatement) -> Selection<Self, Self> {
    Selection(statement: statement, decode: { try Self(_reading: $0) }, decodeAll: { try _readAll($0) })
  }
}

/// The stored values of rows, each in parentheses.
private func list<Row>(_ rows: [Row], _ values: (Row) throws -> [StorageValue]) throws -> [StorageValue] {
  try rows.flatMap { try [.text("(")] + values($0) + [.text(")")] }
}

private func list<Row: FuzzRecord>(_ rows: [Row]) throws -> [StorageValue] {
  try list(rows) { try $0.storedValues() } + [.text(";")]
}
