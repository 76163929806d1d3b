import GRDB
import SanderlingSQL

/// Finds the differences between a record's table and the table in the database, except for indexes and triggers.
struct TableComparison {
  let declared: DeclaredTable
  let actual: ActualTable
  /// The table as the store last created it; nil if the store didn't.
  let recorded: CreateTableSyntax?
  let isOwned: Bool
  /// The forms of the table's values; nil if the store created the table.
  let forms: FormComparison?

  typealias Difference = SchemaPlan.Difference

  func differences(_ db: Database) throws -> [SchemaPlan.Difference] {
    var differences = key()
    let keyIsRight = differences.isEmpty
    for column in declared.columns {
      if let existing = actual.column(column.name) {
        differences += try changes(of: column, from: existing, db)
      } else if keyIsRight || !column.isKey {
        differences.append(addition(of: column))
      }
    }
    return unified(differences + extraColumns()) + foreignKeys()
  }

  /// If the table must be created again, keeps that step once. Of the other steps, keeps only renamings, because other
  /// steps would change the table first.
  private func unified(_ differences: [Difference]) -> [Difference] {
    guard let index = differences.firstIndex(where: { $0.steps.contains { $0.kind == .recreation } }) else {
      return differences
    }
    return differences.enumerated().map { position, difference in
      difference.with(steps: difference.steps.filter { $0.kind == (position == index ? .recreation : .rename) })
    }
  }

  var table: String { declared.name }

  // MARK: Key

  private func key() -> [Difference] {
    let found = actual.keyColumns.map(\.name)
    let isKey = Set(found.folded) == Set(declared.key.folded) && found.count == declared.key.count
    let isUnique = actual.indexes.contains { index in
      index.shape.isUnique && index.shape.condition == nil
        && Set(index.shape.terms.map(\.sql.folded)) == Set(declared.key.folded)
    }
    if isKey || isUnique && !declared.assignsKey && !isOwned {
      if !declared.assignsKey || actual.keyIsRowID { return [] }
      return [
        .refused(
          table, "SQLite doesn't assign the key",
          because: "SQLite assigns keys only in a column that is declared INTEGER PRIMARY KEY.", [recreation])
      ]
    }
    return [
      .refused(
        table,
        "the key is (\(declared.key.quotedIdentifiers)) in the record, "
          + (found.isEmpty ? "and the table has none" : "and (\(found.quotedIdentifiers)) in the table"),
        because: "Rows with equal new keys would be lost.", [recreation])
    ]
  }

  var recreation: ExplicitStep {
    .recreate(declared, from: actual)
  }

  // MARK: Existing columns

  private func changes(
    of column: DeclaredColumn, from existing: ActualColumn, _ db: Database
  ) throws -> [Difference] {
    let name = column.name.quotedIdentifier
    if existing.isGenerated {
      return [
        .refused(table, "column \(name) is generated", because: "The record writes it, which SQLite doesn't allow.")
      ]
    }
    let form = forms?.difference(of: column, from: existing)
    if let form, case .refused = form.effect { return [form] }
    if !isCompatible(column, existing) {
      return [typeChange(of: column, from: existing)]
    }
    var differences = form.map { [$0] } ?? []
    differences += nullability(of: column, from: existing)
    differences += collation(of: column, from: existing)
    if isOwned, try column.defaultValue != nil && !hasDefault(column, existing, db) {
      differences.append(
        .additive(
          table, "change column \(name) to \(column.defaultClause(for: .creation) ?? "") (rebuilds the table)",
          .rebuild(table: actual.name, .setDefault(column))))
    }
    return differences
  }

  func isCompatible(_ column: DeclaredColumn, _ existing: ActualColumn) -> Bool {
    column.isCompatible(with: existing, inStrictTable: actual.syntax.isStrict, isOwned: isOwned)
  }

  private func typeChange(of column: DeclaredColumn, from existing: ActualColumn) -> Difference {
    let types = "from \(existing.type.isEmpty ? "REAL" : existing.type) to \(column.type.title)"
    return .refused(
      table, "the type of column \(column.name.quotedIdentifier) changes \(types)",
      because: "The stored values would be read as different values."
        + (isOwned
          ? ""
          : " Give the property a type that fits the column, such as \(Self.swiftType(of: existing)), or convert the column."),
      [
        conversion(
          of: column, name: "convert \(table).\(column.name) to \(column.type.title)",
          value: column.type.conversion(of: qualified(column)))
      ])
  }

  /// A Swift type whose values fit a declared type.
  private static func swiftType(of column: ActualColumn) -> String {
    switch column.affinity {
    case .integer: "Int"
    case .text: "String"
    case .blob: "Data"
    case .real, .numeric: "Double"
    }
  }

  private func nullability(of column: DeclaredColumn, from existing: ActualColumn) -> [Difference] {
    let name = column.name.quotedIdentifier
    if column.isKey { return [] }
    if column.isNotNull && !existing.isNotNull {
      if !isOwned {
        return [
          .harmless(
            table, "column \(name) may hold NULL",
            because: "The property is not optional, so rows with NULL can't be read.")
        ]
      }
      return [
        .refused(
          table, "column \(name) becomes NOT NULL", because: "Rows may hold NULL, which the record can't read.",
          [
            conversion(
              of: column, name: "make \(table).\(column.name) not null",
              value: "coalesce(\(qualified(column)), \(column.placeholder))")
          ])
      ]
    }
    if !column.isNotNull && existing.isNotNull {
      return [
        isOwned
          ? .additive(
            table, "allow NULL in column \(name) (rebuilds the table)",
            .rebuild(table: actual.name, .allowNull(column)))
          : .refused(
            table, "column \(name) is NOT NULL", because: "The record writes NULL for nil.",
            [recreation])
      ]
    }
    return []
  }

  private func collation(of column: DeclaredColumn, from existing: ActualColumn) -> [Difference] {
    let collation = column.collation.rawValue
    if collation.folded == existing.collation.folded { return [] }
    let name = column.name.quotedIdentifier
    guard Collation(rawValue: existing.collation.uppercased()) != nil else {
      return [
        .harmless(
          table, "column \(name) has the collation \(existing.collation), not \(collation)",
          because: "SQL compares texts by this collation, and live results don't.")
      ]
    }
    let summary = "change the collation of column \(name) from \(existing.collation) to \(collation)"
    if isOwned && !column.isKey {
      return [
        .additive(
          table, summary + " (rebuilds the table)", .rebuild(table: actual.name, .setCollation(column)))
      ]
    }
    return [
      .refused(
        table, summary,
        because: "Different values would become equal, or equal values different. Keep the collation with "
          + "@Stored(collation: .\(existing.collation.lowercased())), or convert the table.",
        [recreation])
    ]
  }

  /// Whether the existing default has the declared value, regardless of spelling.
  private func hasDefault(_ column: DeclaredColumn, _ existing: ActualColumn, _ db: Database) throws -> Bool {
    guard let actual = existing.defaultSQL else { return false }
    switch column.defaultValue {
    case nil: return true
    case .expression(let sql): return normalized(actual).isIdentical(to: normalized(sql))
    case .constant(let value):
      let literal = value.defaultLiteral(for: .creation)
      if normalized(actual).isIdentical(to: normalized(literal)) { return true }
      // An expression that isn't constant or isn't valid causes an error, or another value.
      let sql = "SELECT typeof(\(actual)) = typeof(\(literal)) AND (\(actual)) IS (\(literal))"
      do {
        return try Bool.fetchOne(db, sql: sql) ?? false
      } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
        return false
      }
    }
  }

  private func normalized(_ sql: String) -> String {
    let tokens = SQLTokens(sql)
    var range = tokens.tokens.indices
    while let inner = tokens.insideParentheses(range) { range = inner }
    return tokens.normalized(range)
  }

  /// The step that converts a column. SQLite can't drop a column that a constraint uses, so then the whole table is
  /// created again.
  private func conversion(of column: DeclaredColumn, name: String, value: String) -> ExplicitStep {
    let isConstrained =
      column.isKey || actual.foreignKeys.contains { $0.columns.folded.contains(column.name.folded) }
      || indexes(using: column.name).contains { $0.sql == nil }
    if isConstrained { return recreation }
    return .convert(
      column, in: table, name: name, value: value, indexes: indexes(using: column.name).map(\.name),
      triggers: actual.notingTriggers)
  }

  func indexes(using column: String) -> [ActualIndex] {
    actual.indexes.filter { index in
      let texts = index.shape.terms.map(\.sql) + [index.shape.condition ?? ""]
      return texts.contains { SQLTokens($0).tokens.contains { $0.name.folded == column.folded } }
    }
  }

  private func qualified(_ column: DeclaredColumn) -> String {
    "\(table.quotedIdentifier).\(column.name.quotedIdentifier)"
  }
}
