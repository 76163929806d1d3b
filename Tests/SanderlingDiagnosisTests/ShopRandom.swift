@testable import SanderlingDiagnosis

/// A generator of random statements on a shop's database, each with a random number of executions.
struct ShopRandom {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// SQL of customers, purchases and their items, 60,000 rows in all.
  let schema = """
    CREATE TABLE customer (id INTEGER PRIMARY KEY, city INTEGER, tier INTEGER, joined INTEGER, name TEXT);
    CREATE TABLE purchase (
      id INTEGER PRIMARY KEY, customer INTEGER REFERENCES customer (id), state INTEGER, placed INTEGER, total INTEGER,
      note TEXT);
    CREATE TABLE item (
      id INTEGER PRIMARY KEY, purchase INTEGER REFERENCES purchase (id), product INTEGER, price INTEGER, packed INTEGER,
      note TEXT);
    CREATE INDEX item_purchase ON item (purchase);
    CREATE INDEX purchase_placed ON purchase (placed);
    CREATE INDEX purchase_placed_total ON purchase (placed, total);
    \(AdviceFixture.numbers(3_000)) INSERT INTO customer
      SELECT i, i * 7919 % 90, i % 4, i * 31 % 900, 'Customer ' || i FROM n;
    \(AdviceFixture.numbers(17_000)) INSERT INTO purchase
      SELECT i, i * 7907 % 3000 + 1, i * i % 6, i * 613 % 5000, i * 37 % 900, printf('%.60c', 'x') FROM n;
    \(AdviceFixture.numbers(40_000)) INSERT INTO item
      SELECT i, i * 7901 % 17000 + 1, i * 17 % 800, i * 41 % 500, i * 59 % 9000, printf('%.60c', 'x') FROM n;
    """

  private static let tables: [(name: String, columns: [(name: String, values: Int)])] = [
    ("customer", [("city", 90), ("tier", 4), ("joined", 900)]),
    ("purchase", [("customer", 3_000), ("state", 6), ("placed", 5_000), ("total", 900)]),
    ("item", [("purchase", 17_000), ("product", 800), ("price", 500), ("packed", 9_000)]),
  ]

  /// Random statements, about as many as `shapes`, some of them many times.
  mutating func executions(shapes: Int) -> [String] {
    (0..<shapes).flatMap { _ in
      let statement = statement()
      return Array(repeating: statement, count: 1 + Int(random.next() % 5) * Int(random.next() % 4))
    }
  }

  private mutating func one<Element>(of elements: [Element]) -> Element {
    elements[Int(random.next() % UInt64(elements.count))]
  }

  private mutating func conditions(_ table: Int, _ prefix: String = "") -> String {
    var columns = Self.tables[table].columns
    return (0..<Int(1 + random.next() % 2)).map { _ in
      let column = columns.remove(at: Int(random.next() % UInt64(columns.count)))
      let value = Int(random.next() % UInt64(column.values))
      return "\(prefix)\(column.name) \(one(of: ["=", "=", "=", ">", "<"])) \(value)"
    }.joined(separator: " AND ")
  }

  private mutating func statement() -> String {
    let place = Int(random.next() % 3)
    let (table, columns) = (Self.tables[place].name, Self.tables[place].columns.map(\.name))
    switch random.next() % 10 {
    case 0: return "UPDATE \(table) SET \(one(of: columns)) = 1 WHERE id = \(1 + random.next() % 3_000)"
    case 1:
      return
        "INSERT INTO item (purchase, product, price) VALUES (\(1 + random.next() % 17_000), 1, \(random.next() % 500))"
    case 2, 3:
      let group = one(of: columns)
      return
        "SELECT \(group), count(*) FROM \(table) WHERE \(conditions(place)) GROUP BY \(group) ORDER BY \(group) LIMIT 10"
    case 4:
      return
        "SELECT i.*, p.state FROM item i JOIN purchase p ON p.id = i.purchase WHERE \(conditions(1, "p.")) LIMIT \(1 + random.next() % 40)"
    case 5:
      return
        "SELECT p.id, c.name FROM purchase p JOIN customer c ON c.id = p.customer WHERE \(conditions(2 - 1, "p.")) ORDER BY p.total"
    case 6:
      return "SELECT \(one(of: ["max", "sum", "count"]))(\(one(of: columns))) FROM \(table) WHERE \(conditions(place))"
    default:
      return
        "SELECT \(one(of: ["*", "id", columns[0]])) FROM \(table) WHERE \(conditions(place)) ORDER BY \(one(of: columns)) LIMIT 20"
    }
  }
}
