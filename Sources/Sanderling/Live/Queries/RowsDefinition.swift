import GRDB

/// A query whose rows are followed.
struct RowsDefinition<Element: Sendable>: Sendable {
  private(set) var source: LiveForms.Key.Source
  let columnCount: Int
  /// The prefetched rows of the query.
  let prefetched: [PrefetchedRows]
  /// Makes the elements of rows, in code that is specialized where the element's type is known. The database is for the
  /// prefetched rows, which come with fingerprints.
  let decodeAll: @Sendable (Database, ResultRows) throws -> Prefetched<Element>
  /// Makes one element, with the fingerprint of its prefetched rows, if any. Nil for SQL written by hand, whose rows
  /// are decoded all at once.
  let decode: DecodeOne?

  typealias DecodeOne = @Sendable (Database, ResultRow) throws -> (element: Element, fingerprint: UInt64?)

  init<Root>(_ query: Selection<Root, Element>) {
    source = .statement(query.statement)
    columnCount = query.statement.columns.count
    prefetched = []
    let (decode, decodeAll) = (query.decode, query.decodeAll)
    self.decode = { _, row in (try decode(row), nil) }
    self.decodeAll = { _, rows in Prefetched(values: try decodeAll(rows)) }
  }

  init<Root>(_ query: PrefetchingSelection<Root, Element>) {
    source = .statement(query.selection.statement)
    columnCount = query.selection.statement.columns.count
    prefetched = query.prefetched
    let (selection, attach) = (query.selection, query.attach)
    decode = { db, row in
      // Errors name the record's type here, since an element also contains prefetched records.
      let record = try StoreError.locating(Root.self) { try selection.decode(row) }
      let one = try attach(ReadTransaction(db, recorder: nil, fingerprintsRows: true), [record])
      return (one.values[0], one.fingerprints[0])
    }
    decodeAll = { db, rows in
      let records = try StoreError.locating(Root.self) { try selection.decodeAll(rows) }
      return try attach(ReadTransaction(db, recorder: nil, fingerprintsRows: true), records)
    }
  }

  init(_ query: RawQuery<Element>) {
    source = .raw(query.fragments)
    columnCount = query.columnCount
    prefetched = []
    let decodeAll = query.decodeAll
    self.decodeAll = { _, rows in Prefetched(values: try decodeAll(rows)) }
    decode = nil
  }

  /// The definition for results with a window. For a window below 1, reading it throws ``StoreError/invalidQuery(_:)``.
  func fitting(window: Int) -> RowsDefinition {
    guard let reason = window.windowObstacle else { return self }
    var definition = self
    switch source {
    case .statement(var statement):
      statement.refuse(because: reason)
      definition.source = .statement(statement)
    case .raw(let fragments): definition.source = .raw(fragments + [.invalid(reason)])
    }
    return definition
  }

  /// The definition of the query's form, and the query's compared values.
  var separated: (form: RowsDefinition, values: [StorageValue]) {
    guard case .statement(let statement) = source else { return (self, []) }
    let (form, values) = statement.separated
    var definition = self
    definition.source = .statement(form)
    return (definition, values)
  }

  /// The definition of the form's query with some values.
  func filled(_ values: [StorageValue]) -> RowsDefinition {
    guard case .statement(let statement) = source else { return self }
    var definition = self
    definition.source = .statement(statement.filled(values))
    return definition
  }

  /// The query's form in an engine, and its compared values.
  func form(among forms: LiveForms) -> (form: RowsForm<Element>, values: [StorageValue]) {
    let (definition, values) = separated
    let key = LiveForms.Key(
      kind: .rows, source: definition.source, prefetched: prefetched, output: ObjectIdentifier(Element.self))
    return (forms.form(key) { RowsForm(definition) }, values)
  }
}
