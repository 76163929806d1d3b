import Foundation
import GRDB
import Sanderling

@testable import SanderlingSync

/// Tables of an app with keys of all kinds, unique indexes, references, and the app's own triggers.
enum Garden {
  @Record("beds") struct Bed {
    var id: Int
    var name: String?
    var value: String?
    var size: Double?
  }

  @Record("plants") struct Plant {
    @PrimaryKey var word: String
    var value: String?
    var rank: Int?
  }

  @Record("seeds") struct Seed {
    var id: Data
    var value: String?
  }

  @Record("places") struct Place {
    @PrimaryKey var a: Int
    @PrimaryKey var b: String
    var value: String?
    var flag: Int?
  }

  @Record("cuttings") struct Cutting {
    var id: Int
    @References(Bed.self) var bed: Int?
    @References(Plant.self) var plant: String?
    var value: String?
  }

  static let schema = """
    CREATE TABLE beds (id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE UNIQUE, value, size REAL);
    CREATE TABLE plants (word TEXT PRIMARY KEY NOT NULL, value, rank INTEGER UNIQUE);
    CREATE TABLE seeds (id BLOB PRIMARY KEY NOT NULL, value TEXT) WITHOUT ROWID;
    CREATE TABLE places (a INTEGER, b TEXT COLLATE NOCASE, value, flag INTEGER, PRIMARY KEY (a, b)) WITHOUT ROWID;
    CREATE UNIQUE INDEX flagged ON places (value) WHERE flag = 1;
    CREATE TABLE cuttings (id INTEGER PRIMARY KEY,
      bed INTEGER REFERENCES beds (id) ON DELETE CASCADE ON UPDATE CASCADE,
      plant TEXT REFERENCES plants (word) ON DELETE SET NULL ON UPDATE CASCADE, value);
    CREATE INDEX cuttingsOfBed ON cuttings (bed);
    CREATE INDEX cuttingsOfPlant ON cuttings (plant);
    CREATE TRIGGER ripen AFTER INSERT ON beds WHEN NEW.value = 'trigger' BEGIN
      UPDATE beds SET value = 'triggered' WHERE id = NEW.id; END;
    CREATE TRIGGER early BEFORE UPDATE ON cuttings WHEN NEW.value = 'trigger' BEGIN
      DELETE FROM seeds WHERE value = 'trigger'; INSERT OR REPLACE INTO seeds VALUES (x'07', NEW.value); END;
    """

  /// A trigger that runs before the existing triggers of its kind: SQLite runs the latest trigger first.
  static let laterTrigger = """
    CREATE TRIGGER again AFTER UPDATE ON plants WHEN NEW.value = 'trigger' BEGIN
      UPDATE plants SET value = 'triggered' WHERE word = NEW.word; END;
    """

  static let records = [
    SyncedRecord(Bed.self), SyncedRecord(Plant.self), SyncedRecord(Seed.self), SyncedRecord(Place.self),
    SyncedRecord(Cutting.self),
  ]

  static func make(_ db: Database) throws {
    try db.execute(sql: schema)
    try OutboxSchema.install(records, on: db)
    try db.execute(sql: laterTrigger)
  }
}
