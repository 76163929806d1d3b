import GRDB
import SanderlingSQL

/// Finds references to rows that don't exist, sets them to NULL or leaves out their rows, and reports them.
struct MoveReferences {
  let plans: [MovePlan]
  let tallies: [RowTally]
  let problems: MoveProblems

  private static let batchSize = 10_000

  func repair(_ db: Database) throws {
    var parents = Set(plans.map(\.table.name))
    // Rows that are left out may leave others without their parents.
    while !parents.isEmpty {
      var changed: Set<String> = []
      for (plan, tally) in zip(plans, tallies) {
        for key in plan.table.foreignKeys where parents.contains(key.parent) {
          guard let column = key.columns.first, let parentColumn = key.parentColumns.first else { continue }
          if try repair(plan, tally, column, key.parent, parentColumn, db) { changed.insert(plan.table.name) }
        }
      }
      parents = changed
    }
  }

  /// - Returns: Whether a row was left out.
  private func repair(
    _ plan: MovePlan, _ tally: RowTally, _ column: String, _ parent: String, _ parentColumn: String, _ db: Database
  ) throws -> Bool {
    let (table, name) = ("main.\(plan.table.name.quotedIdentifier)", column.quotedIdentifier)
    let isOptional = plan.table.column(column)?.isNotNull == false
    // The limit keeps SQLite from asking for each row and not for each value, which the index has in order.
    let dangling = """
      SELECT rowid FROM \(table) WHERE \(name) IN (
        SELECT \(name) FROM (SELECT DISTINCT \(name) FROM \(table) WHERE \(name) NOT NULL LIMIT -1) AS found
        WHERE NOT EXISTS (SELECT 1 FROM main.\(parent.quotedIdentifier) AS parent WHERE parent.\(parentColumn.quotedIdentifier) = found.\(name)))
      LIMIT \(Self.batchSize)
      """
    let change =
      isOptional ? "UPDATE \(table) SET \(name) = NULL WHERE rowid = ?" : "DELETE FROM \(table) WHERE rowid = ?"
    var isLeftOut = false
    while true {
      let rows = try Int64.fetchAll(db, sql: dangling)
      if rows.isEmpty { return isLeftOut }
      for rowID in rows {
        let key = try Row.fetchOne(db.cachedStatement(sql: plan.keySQL), arguments: [rowID])
        try count(-1, rowID, plan, tally, db)
        try db.cachedStatement(sql: change).execute(arguments: [rowID])
        if isOptional {
          try count(1, rowID, plan, tally, db)
        } else {
          problems.noteRowLeftOut()
          isLeftOut = true
        }
        try problems.add(
          StoreMove.Problem(
            table: plan.table.name, key: plan.key(key?.databaseValues.map { StorageValue($0) } ?? []), column: column,
            reason: "there is no row of \(parent) that it refers to", action: isOptional ? .setToNull : .leftOut), db)
      }
    }
  }

  private func count(_ direction: Int, _ rowID: Int64, _ plan: MovePlan, _ tally: RowTally, _ db: Database) throws {
    tally.direction = direction
    defer { tally.direction = 1 }
    _ = try Int.fetchOne(db.cachedStatement(sql: plan.addRowSQL), arguments: [rowID])
  }
}
