import Foundation
import GRDB

extension RecordsCommandTests.Fixture {
  /// A database as GRDB's records and migrations make it.
  static let grdb = Self(name: "GRDBMade", schema: GRDBMade.schema, notes: []) { db in
    try db.execute(sql: "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
    try db.create(table: "author") { table in
      table.autoIncrementedPrimaryKey("id")
      table.column("name", .text).notNull().indexed()
      table.column("bornAt", .datetime)
      table.column("isActive", .boolean).notNull().defaults(to: true)
      table.column("rating", .double).notNull()
      table.column("token", .blob).notNull().unique()
      table.column("tags", .jsonText).notNull()
    }
    try db.create(table: "book") { table in
      table.primaryKey("isbn", .text)
      table.belongsTo("author", onDelete: .cascade).notNull()
      table.column("title", .text).notNull().collate(.nocase)
      table.column("soldCount", .integer).notNull().defaults(to: 0)
      table.column("publishedAt", .datetime).notNull()
    }
    try db.create(index: "book_on_authorId_title", on: "book", columns: ["authorId", "title"])
    for number in 1...20 {
      try db.execute(
        sql: "INSERT INTO author (name, bornAt, isActive, rating, token, tags) VALUES (?, ?, ?, ?, ?, ?)",
        arguments: [
          "Author \(number)", number % 3 == 0 ? nil : Date(timeIntervalSince1970: Double(number) * 1e6),
          number % 2 == 0, Double(number) / 2,
          UUID(), #"["a","b"]"#,
        ])
      try db.execute(
        sql: "INSERT INTO book (isbn, authorId, title, soldCount, publishedAt) VALUES (?, ?, ?, ?, ?)",
        arguments: ["978-\(number)", number, "Title", number, Date(timeIntervalSince1970: 1e9)])
    }
  }

  /// A database as SQLiteData's migrations make it: STRICT tables, and UUIDs in lower case that SQL generates.
  static let sqliteData = Self(name: "SQLiteDataMade", schema: SQLiteDataMade.schema, notes: []) { db in
    try db.execute(
      sql: """
        CREATE TABLE "remindersLists" (
          "id" TEXT PRIMARY KEY NOT NULL ON CONFLICT REPLACE DEFAULT (lower(hex(randomblob(16)))),
          "color" INTEGER NOT NULL DEFAULT 1253629439,
          "title" TEXT NOT NULL ON CONFLICT REPLACE DEFAULT ''
        ) STRICT;
        CREATE TABLE "reminders" (
          "id" TEXT PRIMARY KEY NOT NULL ON CONFLICT REPLACE DEFAULT (lower(hex(randomblob(16)))),
          "dueDate" TEXT,
          "isFlagged" INTEGER NOT NULL DEFAULT 0,
          "notes" TEXT NOT NULL DEFAULT '',
          "priority" INTEGER,
          "remindersListID" TEXT NOT NULL REFERENCES "remindersLists"("id") ON DELETE CASCADE,
          "title" TEXT NOT NULL DEFAULT ''
        ) STRICT;
        CREATE INDEX "reminders_remindersListID" ON "reminders"("remindersListID");
        CREATE TABLE "tags" ("title" TEXT COLLATE NOCASE PRIMARY KEY NOT NULL) STRICT;
        CREATE TABLE "remindersTags" (
          "id" TEXT PRIMARY KEY NOT NULL ON CONFLICT REPLACE DEFAULT (lower(hex(randomblob(16)))),
          "reminderID" TEXT NOT NULL REFERENCES "reminders"("id") ON DELETE CASCADE,
          "tagID" TEXT NOT NULL REFERENCES "tags"("title") ON DELETE CASCADE ON UPDATE CASCADE
        ) STRICT;
        """)
    for number in 1...10 {
      let ids = (0..<3).map { _ in UUID().uuidString.lowercased() + "" }
      try db.execute(
        sql: "INSERT INTO remindersLists (id, title) VALUES (?, ?)", arguments: [ids[0], "List \(number)"])
      try db.execute(
        sql: "INSERT INTO reminders (id, dueDate, remindersListID, priority) VALUES (?, ?, ?, ?)",
        arguments: [
          ids[1], number > 5 ? nil : "2025-02-1\(number % 10) 10:00:00.000", ids[0], number > 3 ? nil : number,
        ])
      try db.execute(sql: "INSERT INTO tags (title) VALUES (?)", arguments: ["tag \(number)"])
      try db.execute(sql: "INSERT INTO remindersTags VALUES (?, ?, ?)", arguments: [ids[2], ids[1], "tag \(number)"])
    }
  }

  /// Tables with odd names, composite keys, times as numbers, and columns with several classes of values.
  static let plain = Self(
    name: "PlainMade", schema: PlainMade.schema,
    notes: [
      "Task List.CREATED_AT: taken for seconds since 1970", "Task List.last-change: taken for milliseconds since 1970",
      "Task List.initial is generated: read it by SQL",
      "Task List: the index some needs a declaration in the body of the struct: static let indexes",
      "Task List: the index folded needs a declaration in the body of the struct: static let indexes",
      "empty.changed: no values show the form of the dates: this is the form that GRDB writes",
      "log: the table has no key, so its record only reads it, by the rowid",
      "open is a view: read it by SQL with RawQuery, or state its key with @Record(view:)",
      "search is a virtual table: read it by SQL with RawQuery, or state its key with @Record(view:)",
      "steps.list references tasks(list, number) with (list, number), which @References can't declare",
      "steps.at: taken for seconds since 1970",
      "tasks.mixed: holds integers and texts",
      "tasks.meta: holds JSON: a Codable type of your own reads it with @Stored(as: .json)",
    ]
  ) { db in
    try db.execute(
      sql: #"""
        CREATE TABLE "Task List" (ID INTEGER PRIMARY KEY AUTOINCREMENT, "List Name" VARCHAR(80) NOT NULL DEFAULT 'it''s "new"',
          CREATED_AT INTEGER NOT NULL, "last-change" TIMESTAMP, done BOOLEAN DEFAULT FALSE, "class" TEXT, Price DECIMAL(8, 2),
          "parent" INTEGER REFERENCES "task list" (id) ON DELETE SET NULL, initial AS (substr("List Name", 1, 1)));
        INSERT INTO "Task List" (ID, CREATED_AT, "last-change", "class", Price, parent)
          VALUES (1, 1700000000, 1700000000123, 'a', 9.5, NULL), (2, 1700000001, NULL, NULL, 3, 1);
        CREATE INDEX named ON "Task List" ("List Name", CREATED_AT DESC);
        CREATE INDEX some ON "Task List" (parent) WHERE done;
        CREATE UNIQUE INDEX folded ON "Task List" (lower("class"));
        CREATE TABLE tasks (list INTEGER NOT NULL, number INT NOT NULL, title TEXT NOT NULL, uuid UUID NOT NULL, key TEXT,
          mixed, settings TEXT, meta TEXT, "self" INT, PRIMARY KEY (list, number)) WITHOUT ROWID;
        INSERT INTO tasks VALUES (1, 1, 'a', 'E621E1F8-C36C-495A-93FC-0C247A3E6E5F', 'k', 1, '{"a":"b"}', '{"a":[1,null]}', 1),
          (1, 2, 'b', 'E621E1F8-C36C-495A-93FC-0C247A3E6E50', NULL, 'text', '{}', '[]', NULL);
        CREATE TABLE steps (id BLOB PRIMARY KEY NOT NULL, list INTEGER NOT NULL, number INT NOT NULL, at REAL, flag BOOLEAN NOT NULL,
          FOREIGN KEY (list, number) REFERENCES tasks (list, number));
        INSERT INTO steps VALUES (X'000102030405060708090A0B0C0D0E0F', 1, 1, 1700000000.25, 2);
        CREATE TABLE codes (code TEXT NOT NULL, value INTEGER, UNIQUE (code));
        INSERT INTO codes VALUES ('x', 1);
        CREATE TABLE log (line TEXT);
        CREATE TABLE empty (name TEXT NOT NULL PRIMARY KEY, changed DATETIME, flag BOOL NOT NULL DEFAULT 1, size REAL, data BLOB);
        CREATE VIEW open AS SELECT * FROM tasks;
        CREATE VIRTUAL TABLE search USING fts5 (title);
        """#)
  }

  /// Foreign keys of all kinds: several to one table, to the own table, of several columns, to a column that is no key, of
  /// join tables, and beside columns that have the names of associations.
  static let linked = Self(
    name: "LinkedMade", schema: LinkedMade.schema,
    notes: [
      "log: the table has no key, so its record only reads it, by the rowid",
      "messages.author_email references users(email), which @References can't declare",
      "shipments.order_id references order_items(order_id, number) with (order_id, item_number), which @References can't declare",
    ]
  ) { db in
    try db.execute(
      sql: """
        CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL UNIQUE,
          manager_id INTEGER REFERENCES users (id) ON DELETE SET NULL);
        INSERT INTO users VALUES (1, 'a', 'a@x', NULL), (2, 'b', 'b@x', 1), (3, 'c', 'c@x', 1);
        CREATE TABLE messages (id INTEGER PRIMARY KEY, sender_id INTEGER NOT NULL REFERENCES users (id),
          recipient_id INTEGER REFERENCES users, reply_to INTEGER REFERENCES messages (id), sender TEXT,
          author_email TEXT REFERENCES users (email));
        INSERT INTO messages VALUES (1, 1, 2, NULL, 's', 'a@x'), (2, 1, 3, 1, NULL, NULL), (3, 2, NULL, 1, NULL, NULL);
        CREATE TABLE categories (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES categories (id), title TEXT NOT NULL);
        INSERT INTO categories VALUES (1, NULL, 'x'), (2, 1, 'y'), (3, 1, 'z');
        CREATE TABLE products (id INTEGER PRIMARY KEY, category INTEGER REFERENCES categories (id), tags TEXT);
        INSERT INTO products VALUES (1, 2, 't'), (2, 2, NULL), (3, NULL, NULL);
        CREATE TABLE currencies (code TEXT NOT NULL PRIMARY KEY);
        INSERT INTO currencies VALUES ('EUR'), ('CHF');
        CREATE TABLE orders (id INTEGER PRIMARY KEY, userid INTEGER NOT NULL REFERENCES users (id),
          currency TEXT NOT NULL REFERENCES currencies (code));
        INSERT INTO orders VALUES (1, 1, 'EUR'), (2, 1, 'CHF'), (3, 2, 'EUR');
        CREATE TABLE order_items (number INTEGER NOT NULL, order_id INTEGER NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
          product_id INTEGER REFERENCES products (id), PRIMARY KEY (order_id, number));
        INSERT INTO order_items VALUES (1, 1, 1), (2, 1, 2), (1, 2, 1);
        CREATE TABLE shipments (id TEXT NOT NULL PRIMARY KEY, order_id INTEGER NOT NULL, item_number INTEGER,
          FOREIGN KEY (order_id, item_number) REFERENCES order_items (order_id, number));
        INSERT INTO shipments VALUES ('s1', 1, 1), ('s2', 1, 1), ('s3', 2, 1), ('s4', 2, NULL);
        CREATE TABLE tags (title TEXT NOT NULL PRIMARY KEY);
        INSERT INTO tags VALUES ('red'), ('blue');
        CREATE TABLE products_tags (product_id INTEGER NOT NULL REFERENCES products (id),
          tag TEXT NOT NULL REFERENCES tags (title), PRIMARY KEY (product_id, tag)) WITHOUT ROWID;
        INSERT INTO products_tags VALUES (1, 'red'), (1, 'blue'), (2, 'red');
        CREATE TABLE friendships (user_id INTEGER NOT NULL REFERENCES users (id),
          friend_id INTEGER NOT NULL REFERENCES users (id), PRIMARY KEY (user_id, friend_id));
        INSERT INTO friendships VALUES (1, 2), (1, 3), (2, 3);
        CREATE TABLE profiles (user_id INTEGER PRIMARY KEY REFERENCES users (id), bio TEXT);
        INSERT INTO profiles VALUES (1, 'b');
        CREATE TABLE log (line TEXT, user_id INTEGER REFERENCES users (id));
        INSERT INTO log VALUES ('l', 1), ('l', 1), (NULL, NULL);
        """)
  }

  /// Columns whose declared types are unusual or differ from the stored values. Each type has columns with each storage
  /// class.
  static let odd = Self(name: "OddMade", schema: OddMade.schema, notes: nil) { db in
    let types = [
      "UUID", "GUID", "STRING", "DATETIME", "BOOL", "DECIMAL(10,2)", "FLOATING POINT", "CHARINT", "", "ANY", "JSON",
      "TIMESTAMP",
      "BLOB SUB_TYPE", "VARCHAR(8)", "REAL", "INTEGER",
    ]
    let columns = [
      ("integers", "7"), ("reals", "0.5"), ("texts", "'a1'"), ("blobs", "X'00FF'"),
      ("times", "'2025-02-10 10:00:00.000'"),
      ("uuids", "'E621E1F8-C36C-495A-93FC-0C247A3E6E5F'"), ("moments", "1700000000"), ("referenceAt", "700000000.5"),
      ("objects", "'[\"a\"]'"),
      ("bytes", "X'E621E1F8C36C495A93FC0C247A3E6E5F'"), ("empty", "NULL"),
    ]
    for (number, type) in types.enumerated() {
      let name = type.isEmpty ? "nothing" : type.filter(\.isLetter).lowercased()
      let definitions = columns.map { "\($0.0) \(type)" } + ["mixed \(type)"]
      let values = columns.map(\.1).joined(separator: ", ")
      let keys = type == "INTEGER" ? ["1", "2"] : ["'k\(number)'", "'\(number)k'"]
      try db.execute(
        sql: """
          CREATE TABLE of_\(name) (id \(type) NOT NULL PRIMARY KEY, \(definitions.joined(separator: ", ")));
          INSERT INTO of_\(name) VALUES (\(keys[0]), \(values), 1), (\(keys[1]), \(values), 'b')
          """)
    }
    for type in ["INT", "INTEGER", "REAL", "TEXT", "BLOB", "ANY"] {
      let values = [
        "INT": ["7"], "INTEGER": ["7"], "REAL": ["0.5"], "TEXT": ["'a1'"], "BLOB": ["X'00'"],
        "ANY": ["7", "'0012'", "X'00'", "0.5"],
      ]
      try db.execute(
        sql:
          "CREATE TABLE strict_\(type.lowercased()) (id TEXT NOT NULL PRIMARY KEY, value \(type), empty \(type)) STRICT"
      )
      for (number, value) in (values[type] ?? []).enumerated() {
        try db.execute(sql: "INSERT INTO strict_\(type.lowercased()) VALUES ('\(number)', \(value), NULL)")
      }
    }
  }
}
