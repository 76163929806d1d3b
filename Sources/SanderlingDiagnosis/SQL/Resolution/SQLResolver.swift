/// Finds the meaning of each name in a statement by SQLite's rules: the nearest core first, then the outer ones.
///
/// Never fails: a name without a meaning is `unknown`. O(names · sources).
struct SQLResolver {
  /// A core whose names are visible.
  struct Frame {
    var core: Int
    var sources: [Int]
    /// Result columns whose aliases are visible if no column has the name.
    var results: [ResolvedCore.ResultColumn] = []
  }

  /// A visible common table.
  struct CommonTable {
    var columns: [String]
    var cores: [Int]
  }

  let schema: SchemaDescription
  var resolved: ResolvedStatement
  var frames: [Frame] = []
  var commonTables: [[String: CommonTable]] = []

  static func resolve(_ statement: SQLStatement, in schema: SchemaDescription) -> ResolvedStatement {
    var resolver = SQLResolver(schema: schema, resolved: ResolvedStatement(statement: statement))
    switch statement.kind {
    case .select(let select): _ = resolver.resolve(select, as: .statement)
    case .insert(let insert): resolver.resolve(insert)
    case .update(let update): resolver.resolve(update)
    case .delete(let delete): resolver.resolve(delete)
    }
    return resolver.resolved
  }

  private init(schema: SchemaDescription, resolved: ResolvedStatement) {
    self.schema = schema
    self.resolved = resolved
  }

  // MARK: Selects

  /// Resolves a SELECT in the open frames, and returns the numbers of its cores.
  @discardableResult
  mutating func resolve(_ select: SQLSelect, as role: ResolvedCore.Role) -> [Int] {
    open(select.with)
    defer { commonTables.removeLast() }
    let ids = select.cores.map(\.id)
    for core in select.cores { resolve(core, of: select, as: role) }
    return ids
  }

  mutating func open(_ with: SQLWith?) {
    commonTables.append([:])
    guard let with else { return }
    for table in with.tables {
      let key = table.name.key
      let written = table.columns.map(\.text)
      let columns = written.isEmpty ? names(of: table.select.cores.first) : written
      let ids = table.select.cores.map(\.id)
      // The table's own name is visible inside it, for recursion.
      commonTables[commonTables.count - 1][key] = CommonTable(columns: columns, cores: ids)
      resolve(table.select, as: .commonTable(table.name.text))
      let results = resolved.core(ids.first ?? 0)?.results.map(\.name) ?? []
      commonTables[commonTables.count - 1][key] = CommonTable(
        columns: written.isEmpty ? results : written, cores: ids)
    }
  }

  /// The names of result columns as written, for a table that refers to itself.
  private func names(of core: SQLSelectCore?) -> [String] {
    guard let core else { return [] }
    if let row = core.rows.first { return row.indices.map { "column\($0 + 1)" } }
    return core.columns.compactMap { column in
      guard case .expression(let expression, let alias) = column.kind else { return nil }
      return alias?.text ?? name(of: expression)
    }
  }

  func name(of expression: SQLExpression) -> String {
    if case .column(let reference) = expression.unwrapped.kind { return reference.name.text }
    return resolved.statement.sql(expression.range)
  }

  private mutating func resolve(_ syntax: SQLSelectCore, of select: SQLSelect, as role: ResolvedCore.Role) {
    let isCompound = select.cores.count > 1
    var core = ResolvedCore(
      id: syntax.id, parent: frames.last?.core, role: role, range: isCompound ? syntax.range : select.range,
      syntax: syntax, isCompound: isCompound, condition: syntax.condition)
    if !isCompound { (core.orderBy, core.limit, core.offset) = (select.orderBy, select.limit, select.offset) }
    resolved.add(core)
    frames.append(Frame(core: core.id, sources: []))
    defer { frames.removeLast() }
    core.sources = resolve(syntax.from?.sources ?? [], in: core.id)
    core.results = results(of: syntax.columns, sources: core.sources, rows: syntax.rows)
    frames[frames.count - 1].results = core.results
    resolved.change(core.id) { ($0.sources, $0.results) = (core.sources, core.results) }

    for source in syntax.from?.sources ?? [] { resolve(source.join.on) }
    for case .expression(let expression, _) in syntax.columns.map(\.kind) { resolve(expression) }
    for row in syntax.rows { row.forEach { resolve($0) } }
    resolve(syntax.condition)
    syntax.groupBy.forEach { resolve($0) }
    resolve(syntax.having)
    for (_, window) in syntax.windows { window.children.forEach { resolve($0) } }
    // The ORDER BY of a compound SELECT refers to the results of its first core.
    if !isCompound || syntax.id == select.cores.first?.id {
      for term in select.orderBy { resolveOrdering(term.expression) }
      resolve(select.limit)
      resolve(select.offset)
    }
  }

  /// Makes the sources of a core visible, one after another, and returns their numbers.
  mutating func resolve(_ sources: [SQLSource], in core: Int) -> [Int] {
    var ids: [Int] = []
    for source in sources {
      let added = resolvedSource(source, in: core)
      resolved.sources[source.id] = added
      ids.append(source.id)
      frames[frames.count - 1].sources = ids
    }
    return ids
  }

  private mutating func resolvedSource(_ syntax: SQLSource, in core: Int) -> ResolvedSource {
    var source = ResolvedSource(id: syntax.id, core: core, syntax: syntax)
    switch syntax.kind {
    case .table(let schemaName, let name):
      source.name = syntax.alias?.text ?? name.text
      if schemaName == nil, let common = commonTables.reversed().lazy.compactMap({ $0[name.key] }).first {
        source.kind = .commonTable
        source.columns = common.columns
        source.cores = common.cores
      } else if let table = schema.table(named: name.text) {
        source.kind = table.viewSQL == nil ? .table : .view
        source.table = table
        source.columns = table.columns.map(\.name)
      }
    case .function(let name, let arguments):
      source.name = syntax.alias?.text ?? name.text
      source.kind = .function
      source.columns = schema.table(named: name.text)?.columns.map(\.name) ?? []
      arguments.forEach { resolve($0) }
    case .subquery(let select):
      source.name = syntax.alias?.text ?? ""
      source.kind = .subquery
      // The sources beside it are not visible inside a subquery in FROM.
      let frame = frames.removeLast()
      source.cores = resolve(select, as: .source)
      frames.append(frame)
      source.columns = source.cores.first.flatMap { resolved.core($0) }?.results.map(\.name) ?? []
      for id in source.cores { resolved.change(id) { $0.parent = core } }
    }
    return source
  }

  func results(
    of columns: [SQLResultColumn], sources: [Int], rows: [[SQLExpression]] = []
  ) -> [ResolvedCore.ResultColumn] {
    if let row = rows.first {
      return row.enumerated().map { ResolvedCore.ResultColumn(name: "column\($0.offset + 1)", expression: $0.element) }
    }
    return columns.flatMap { column -> [ResolvedCore.ResultColumn] in
      switch column.kind {
      case .expression(let expression, let alias):
        let name = alias?.text ?? name(of: expression)
        return [ResolvedCore.ResultColumn(name: name, expression: expression, hasAlias: alias != nil)]
      case .all(let table):
        return sources.compactMap { resolved.sources[$0] }
          .filter { table == nil || $0.name.asciiLowercased == table?.key }
          .flatMap { source in
            source.columns.map {
              ResolvedCore.ResultColumn(name: $0, meaning: .column(source: source.id, name: $0))
            }
          }
      }
    }
  }

  // MARK: Expressions

  mutating func resolve(_ expression: SQLExpression?) {
    guard let expression else { return }
    for node in expression.withDescendants {
      switch node.kind {
      case .column(let reference): resolved.references[node.range.lowerBound] = meaning(of: reference)
      case .subquery(let select): resolve(select, as: .scalar)
      case .exists(let select): resolve(select, as: .exists)
      case .membership(_, .subquery(let select), _): resolve(select, as: .membership)
      default: break
      }
    }
  }

  /// Resolves a term of ORDER BY, in which a result's alias takes precedence over a column's name.
  mutating func resolveOrdering(_ expression: SQLExpression) {
    if case .column(let reference) = expression.unwrapped.kind, reference.table == nil, let frame = frames.last,
      let index = frame.results.firstIndex(where: {
        $0.hasAlias && $0.name.asciiLowercased == reference.name.key
      })
    {
      resolved.references[expression.unwrapped.range.lowerBound] = .result(core: frame.core, index: index)
    } else {
      resolve(expression)
    }
  }

  private mutating func meaning(of reference: SQLColumnReference) -> ColumnMeaning {
    for position in frames.indices.reversed() {
      if let meaning = meaning(of: reference, in: frames[position]) {
        if case .column(let source, _) = meaning { markOuter(source, above: position) }
        return meaning
      }
    }
    return reference.name.isDoubleQuoted && reference.table == nil ? .string : .unknown
  }

  /// Records that the cores above a frame depend on one of its sources.
  private mutating func markOuter(_ source: Int, above position: Int) {
    for frame in frames[(position + 1)...] {
      resolved.change(frame.core) { $0.outerSources.insert(source) }
    }
  }

  private func meaning(of reference: SQLColumnReference, in frame: Frame) -> ColumnMeaning? {
    let name = reference.name.text
    let sources = frame.sources.compactMap { resolved.sources[$0] }
    if let table = reference.table {
      guard let source = sources.first(where: { matches($0, table) }) else { return nil }
      if let column = source.column(named: name) { return .column(source: source.id, name: column) }
      return source.isOpen ? .column(source: source.id, name: name) : nil
    }
    for source in sources where source.hasColumn(reference.name.key) {
      return source.column(named: name).map { .column(source: source.id, name: $0) }
    }
    for source in sources {
      if let rowid = source.column(named: name) { return .column(source: source.id, name: rowid) }
    }
    if let index = frame.results.firstIndex(where: { $0.hasAlias && $0.name.asciiLowercased == reference.name.key }) {
      return .result(core: frame.core, index: index)
    }
    // In double quotes it is more likely a string than an unknown column.
    if !reference.name.isDoubleQuoted, let open = sources.first(where: \.isOpen) {
      return .column(source: open.id, name: name)
    }
    return nil
  }

  private func matches(_ source: ResolvedSource, _ table: SQLName) -> Bool {
    source.name.asciiLowercased == table.key
  }
}
