public import GRDB

/// The steps that no difference of schemas tells.
public func makeMigrator() -> DatabaseMigrator {
  var migrator = DatabaseMigrator()
  migrator.registerMigration("rename task.name to task_title") { db in
    try db.execute(sql: "ALTER TABLE task RENAME COLUMN name TO task_title")
  }
  return migrator
}

/// What the records don't declare.
public func makeExtras() -> DatabaseMigrator {
  var extras = DatabaseMigrator()
  extras.registerMigration("view of projects") { db in
    try db.execute(sql: "CREATE VIEW projectName AS SELECT name FROM project")
  }
  return extras
}
