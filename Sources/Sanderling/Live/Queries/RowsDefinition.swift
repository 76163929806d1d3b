/// A query whose rows are followed.
struct RowsDefinition<Element: Sendable>: Sendable {
  private(set) var source: LiveForms.Key.Source
  let columnCount: Int
  let decode: @Sendable (ResultRow) throws -> Element
  /// The same for all rows, in code that is specialized where the element's type is known.
  let decodeAll: @Sendable (ResultRows) throws -> [Element]

  init<Root>(_ query: Selection<Root, Element>) {
    source = .statement(query.statement)
    columnCount = query.statement.columns.count
    decode = query.decode
    decodeAll = query.decodeAll
  }

  init(_ query: RawQuery<Element>) {
    source = .raw(query.fragments)
    columnCount = query.columnCount
    let decode = query.decode
    self.decode = decode
    decodeAll = { rows in
      var elements: [Element] = []
      try rows.forEach { elements.append(try decode($0)) }
      return elements
    }
  }

  /// The definition of the query's form, and the values that the query compares with.
  var separated: (form: RowsDefinition, values: [StorageValue]) {
    guard case .statement(let statement) = source else { return (self, []) }
    let (form, values) = statement.separated
    var definition = self
    definition.source = .statement(form)
    return (definition, values)
  }

  /// The definition of a query of the form.
  func filled(_ values: [StorageValue]) -> RowsDefinition {
    guard case .statement(let statement) = source else { return self }
    var definition = self
    definition.source = .statement(statement.filled(values))
    return definition
  }

  /// The query's form among those of an engine, and the values that the query compares with.
  func form(among forms: LiveForms) -> (form: RowsForm<Element>, values: [StorageValue]) {
    let (definition, values) = separated
    let key = LiveForms.Key(kind: .rows, source: definition.source, output: ObjectIdentifier(Element.self))
    return (forms.form(key) { RowsForm(definition) }, values)
  }
}
