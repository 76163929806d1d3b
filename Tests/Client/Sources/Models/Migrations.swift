public import GRDB

/// The migration steps that can't be derived from the difference of two schemas.
public func makeMigrator() -> DatabaseMigrator {
  var migrator = DatabaseMigrator()
  migrator.registerMigration("rename task.name to task_title") { db in
    try db.execute(sql: "ALTER TABLE task RENAME COLUMN name TO task_title")
  }
  return migrator
}

/// The parts of the schema that the records don't declare.
public func makeExtras() -> DatabaseMigrator {
  var extras = DatabaseMigrator()
  extras.registerMigration("view of open tasks") { db in
    try db.execute(sql: "CREATE VIEW openTask AS SELECT id, task_title AS title FROM task WHERE NOT isCompleted")
  }
  return extras
}
