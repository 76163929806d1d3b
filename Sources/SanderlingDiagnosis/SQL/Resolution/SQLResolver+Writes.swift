extension SQLResolver {
  mutating func resolve(_ insert: SQLInsert) {
    open(insert.with)
    defer { commonTables.removeLast() }
    if let select = insert.select { resolve(select, as: .insert) }
    // The target's columns are visible in DO UPDATE and RETURNING only; no core reads them.
    var target = resolvedTarget(insert.target, in: 0)
    target.core = 0
    resolved.sources[target.id] = target
    var excluded = target
    excluded.id = -1
    excluded.name = "excluded"
    resolved.sources[excluded.id] = excluded
    frames.append(Frame(core: 0, sources: [target.id, excluded.id]))
    defer { frames.removeLast() }
    for upsert in insert.upserts {
      upsert.target.forEach { resolve($0.expression) }
      resolve(upsert.targetCondition)
      upsert.assignments.forEach { resolve($0.value) }
      resolve(upsert.condition)
    }
    resolve(insert.returning)
  }

  mutating func resolve(_ update: SQLUpdate) {
    open(update.with)
    defer { commonTables.removeLast() }
    var core = ResolvedCore(id: update.id, role: .update, range: update.range, condition: update.condition)
    core.assignments = update.assignments
    core.returning = update.returning
    (core.orderBy, core.limit, core.offset) = (update.orderBy, update.limit, update.offset)
    resolve(core, target: update.target, from: update.from)
  }

  mutating func resolve(_ delete: SQLDelete) {
    open(delete.with)
    defer { commonTables.removeLast() }
    var core = ResolvedCore(id: delete.id, role: .delete, range: delete.range, condition: delete.condition)
    core.returning = delete.returning
    (core.orderBy, core.limit, core.offset) = (delete.orderBy, delete.limit, delete.offset)
    resolve(core, target: delete.target, from: nil)
  }

  private mutating func resolve(_ written: ResolvedCore, target: SQLSource, from: SQLFrom?) {
    resolved.add(written)
    frames.append(Frame(core: written.id, sources: []))
    defer { frames.removeLast() }
    let sources = resolve([target] + (from?.sources ?? []), in: written.id)
    resolved.change(written.id) { $0.sources = sources }
    for source in from?.sources ?? [] { resolve(source.join.on) }
    resolve(written.condition)
    for assignment in written.assignments { resolve(assignment.value) }
    resolve(written.returning)
    for term in written.orderBy { resolve(term.expression) }
    resolve(written.limit)
    resolve(written.offset)
  }

  private mutating func resolve(_ columns: [SQLResultColumn]) {
    for case .expression(let expression, _) in columns.map(\.kind) { resolve(expression) }
  }

  private func resolvedTarget(_ syntax: SQLSource, in core: Int) -> ResolvedSource {
    var source = ResolvedSource(id: syntax.id, core: core, syntax: syntax)
    guard case .table(_, let name) = syntax.kind else { return source }
    source.name = syntax.alias?.text ?? name.text
    if let table = schema.table(named: name.text) {
      source.kind = table.viewSQL == nil ? .table : .view
      source.table = table
      source.columns = table.columns.map(\.name)
    }
    return source
  }
}
