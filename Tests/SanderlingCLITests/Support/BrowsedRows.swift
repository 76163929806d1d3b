import GRDB

/// A database with tables of all kinds, for `sanderling browse`.
enum BrowsedRows {
  static func make(at path: String) throws {
    let wide = (1...200).map { "c\($0)" }.joined(separator: ", ")
    let values = (1...200).map { "i || ' of \($0)'" }.joined(separator: ", ")
    try DatabaseQueue(path: path).write { db in
      try db.execute(
        sql: """
          CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, size INTEGER, body);
          CREATE INDEX item_name ON item (name);
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
          INSERT INTO item SELECT i, printf('name %03d', i * 7 % 300), i % 10, CASE WHEN i % 2 THEN '{"n":[' || i || ',{}]}' END FROM n;
          CREATE TABLE bare (a, b);
          INSERT INTO bare SELECT 301 - id, name FROM item;
          CREATE TABLE pair (x TEXT, y INTEGER, note TEXT, PRIMARY KEY (y, x)) WITHOUT ROWID;
          INSERT INTO pair SELECT name, size, 'note ' || id FROM item;
          CREATE VIEW named AS SELECT name, size FROM item WHERE id <= 100;
          CREATE TABLE hollow (id INTEGER PRIMARY KEY, t TEXT);
          CREATE TABLE wide (id INTEGER PRIMARY KEY, \(wide));
          INSERT INTO wide SELECT i.id, \(values) FROM (SELECT id, id AS i FROM item) i;
          CREATE TABLE scripts (id INTEGER PRIMARY KEY, t TEXT, u TEXT);
          INSERT INTO scripts VALUES (1, 'ภาษาไทยที่นี่ น้ำ', '🇨🇭🇩🇪 👩🏽‍🚀👍🏿'), (2, 'हिन्दी क्षत्रिय', '日本語テキスト'), (3, char(0x9B) || '2J' || char(27) || '[31m', 'x');
          """)
    }
  }
}
