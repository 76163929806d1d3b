/// The keys and values of random edits: few keys, so that devices edit the same rows, and each text only once.
enum EditWords {
  static func key(of record: String, _ random: inout SeededGenerator) -> String {
    switch record {
    case "folder": "f\(random.number(1..<6))"
    case "note": "n\(random.number(1..<13))"
    case "remark": "r\(random.number(1..<10))"
    default: "t\(random.number(1..<6))"
    }
  }

  static let records = ["folder", "note", "note", "note", "note", "remark", "remark", "tag", "counter"]
  static let names = ["'red'", "'blue'", "'green'"]
}

/// A generator of statements that a device's user might make.
struct EditGenerator {
  let device: String
  /// The error of the device's clock in seconds.
  let skew: Double
  let isNew: Bool
  private var random: SeededGenerator
  /// The number of the next text; no other edit of the device uses it.
  private var next: Int

  init(device: String, skew: Double, isNew: Bool, _ random: SeededGenerator, next: Int) {
    self.device = device
    self.skew = skew
    self.isNew = isNew
    self.random = random
    self.next = next
  }

  /// The statements of a transaction.
  mutating func statements() -> [String] {
    (0..<random.element(of: [1, 1, 1, 2, 3, 8])).map { _ in statement(random.element(of: EditWords.records)) }
  }

  /// A statement that writes the device's own row.
  mutating func ownStatement() -> String {
    random.element(of: [
      "UPDATE own SET n = n + 1 WHERE id = '\(device)'",
      "INSERT INTO own VALUES ('\(device)', 1) ON CONFLICT DO UPDATE SET n = n + 1",
      "INSERT OR REPLACE INTO own SELECT '\(device)', 1 + coalesce((SELECT n FROM own WHERE id = '\(device)'), 0)",
    ])
  }

  private mutating func text() -> String {
    next += 1
    return "'\(random.chance(3) ? ServerMutations.refusedPrefix + " " : "")\(device)-\(next)'"
  }

  private mutating func statement(_ record: String) -> String {
    if record == "counter" {
      let key = random.element(of: ServerTables.counters + ServerTables.counters + ["c4"])
      let count = random.number(1..<3)
      // No device has the last one at first, so that several devices insert it.
      return key == "c4"
        ? "INSERT INTO counter VALUES ('c4', \(count)) ON CONFLICT DO UPDATE SET count = count + \(count)"
        : "UPDATE counter SET count = count + \(count) WHERE id = '\(key)'"
    }
    let key = "'\(EditWords.key(of: record, &random))'"
    switch random.number(0..<100) {
    case 0..<35:
      let resolution = random.element(of: ["", " OR REPLACE", " OR IGNORE"])
      return "INSERT\(resolution) INTO \(record) (\(columns(record))) VALUES (\(row(record, key)))"
    case 35..<75: return "UPDATE \(record) SET \(assignment(record)) WHERE id = \(key)"
    case 75..<80: return "UPDATE \(record) SET \(assignment(record))"
    case 80..<85:
      let other = "'\(EditWords.key(of: record, &random))'"
      // SQLite 3.40 damages an index when a row replaces the parent row of its own reference with ON DELETE SET NULL.
      // Example:
      // ```
      // CREATE TABLE f (id TEXT PRIMARY KEY, parent REFERENCES f ON DELETE SET NULL);
      // CREATE INDEX i ON f (parent);
      // INSERT INTO f VALUES ('b', NULL), ('a', 'b');
      // UPDATE OR REPLACE f SET id = 'b' WHERE id = 'a';
      // PRAGMA integrity_check;
      // ```
      let resolution = record == "folder" ? "" : random.element(of: ["", " OR REPLACE"])
      return "UPDATE\(resolution) \(record) SET id = \(other) WHERE id = \(key)"
    default: return "DELETE FROM \(record) WHERE id = \(key)"
    }
  }

  private func columns(_ record: String) -> String {
    switch record {
    case "folder": "id, name, parent"
    case "note": "id, folder, title, body, at, flag"
    case "remark": isNew ? "id, note, text, mark" : "id, note, text"
    default: "id, name"
    }
  }

  private mutating func row(_ record: String, _ key: String) -> String {
    switch record {
    case "folder": return "\(key), \(text()), \(parent("folder"))"
    case "note":
      let body = random.chance(50) ? "NULL" : text()
      return "\(key), \(parent("folder")), \(text()), \(body), \(time), \(random.number(0..<2))"
    case "remark": return "\(key), \(parent("note")), \(text())" + (isNew ? ", \(text())" : "")
    default: return "\(key), \(random.chance(60) ? random.element(of: EditWords.names) : text())"
    }
  }

  private mutating func assignment(_ record: String) -> String {
    switch record {
    case "folder": return random.chance(70) ? "name = \(text())" : "parent = \(parent("folder"))"
    case "note":
      return random.element(of: ["title", "title", "body", "folder", "flag"]).assigned { column in
        switch column {
        case "title", "body": "\(column) = \(text()), at = \(time)"
        case "folder": "folder = \(parent("folder")), at = \(time)"
        default: "flag = 1 - flag"
        }
      }
    case "remark":
      if isNew, random.chance(40) { return "mark = \(text())" }
      return random.chance(70) ? "text = \(text())" : "note = \(parent("note"))"
    default: return "name = \(random.chance(60) ? random.element(of: EditWords.names) : text())"
    }
  }

  private mutating func parent(_ record: String) -> String {
    "(SELECT id FROM \(record) WHERE id >= '\(EditWords.key(of: record, &random))' LIMIT 1)"
  }

  private var time: String { "\(Double(next) + skew)" }
}

extension String {
  fileprivate func assigned(_ make: (String) -> String) -> String { make(self) }
}
