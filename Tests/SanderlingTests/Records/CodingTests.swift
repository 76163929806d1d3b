import Foundation
import GRDB
import Sanderling
import Testing

/// Columns with enumerations, addresses, JSON, identifiers as texts, and the app's own codings.
@Suite struct CodingTests {
  enum Priority: Int, SortableColumnValue { case low = -1, medium = 5, high = 10 }
  enum Status: String, SortableColumnValue { case open, closed = "done" }

  struct Place: Codable, Hashable, Sendable {
    var name: String
    var latitude: Double
    var tags: [String] = []
  }

  /// Amounts as whole cents, which sort correctly.
  enum Cents: ColumnCoding {
    static var columnType: ColumnType { .integer }

    static func encode(_ value: Decimal) throws -> StorageValue {
      var (cents, rounded) = (value * 100, Decimal())
      NSDecimalRound(&rounded, &cents, 0, .plain)
      guard rounded == cents else { throw ValueError("an amount has two decimal places") }
      return .integer((cents as NSDecimalNumber).int64Value)
    }

    static func decode(_ stored: StorageValue) throws -> Decimal {
      guard case .integer(let cents) = stored else { throw ValueError("expected a number of cents") }
      return Decimal(cents) / 100
    }
  }

  @Record
  struct Ticket: Hashable {
    var id: Int
    var priority: Priority = .medium
    var status: Status?
    var link: URL?
    @Stored(as: .json) var place: Place
    @Stored(as: .json) var labels: [String: Int] = [:]
    @Stored(as: .json) var note: Place?
    @Stored(as: Cents.self) var price: Decimal
    @Stored(as: Cents.self) var discount: Decimal?
    @Stored(as: .uuidText) var upper: UUID
    @Stored(as: .lowercaseUUIDText) var lower: UUID
  }

  let store: Store
  let uuid: UUID
  let ticket: Ticket

  init() async throws {
    store = try Store(inMemory: [Ticket.self])
    uuid = try #require(UUID(uuidString: "0F0E0D0C-0B0A-0908-0706-050403020100"))
    ticket = Ticket(
      id: 1, priority: .high, status: .closed, link: URL(string: "https://example.org/a%20b?c=d#e"),
      place: Place(name: "a/\"ü\"\u{0}", latitude: 0.1, tags: ["x", "y"]), labels: ["b": 2, "a": 1],
      note: Place(name: "", latitude: -0.5), price: Decimal(1999) / 100, discount: Decimal(string: "0.5"), upper: uuid,
      lower: uuid)
    try await store.write("add") { [ticket] in try $0.insert(ticket) }
  }

  @Test func roundTrip() async throws {
    #expect(try await store.fetch(Ticket.query) == [ticket])
    let empty = Ticket(id: 2, status: nil, place: Place(name: "", latitude: 0), price: 0, upper: uuid, lower: uuid)
    try await store.write("add") { try $0.insert(empty) }
    #expect(try await store.fetch(Ticket.self, key: 2) == empty)
  }

  @Test func storage() async throws {
    let columns = RawQuery(
      "SELECT priority, status, link, place, labels, price, discount, upper, lower FROM ticket", as: Int.self,
      String.self,
      String.self, String.self, String.self, Int.self, Int.self, String.self, String.self)
    #expect(
      try await store.fetch(columns).map(line) == [
        [
          "10", "done", "https://example.org/a%20b?c=d#e", #"{"latitude":0.1,"name":"a/\"ü\"\u0000","tags":["x","y"]}"#,
          #"{"a":1,"b":2}"#, "1999", "50", "0F0E0D0C-0B0A-0908-0706-050403020100",
          "0f0e0d0c-0b0a-0908-0706-050403020100",
        ].joined(separator: " | ")
      ])
  }

  /// Conditions and assignments use the column's own coding.
  @Test func conditions() async throws {
    let link = try #require(ticket.link)
    let queries = [
      Ticket.where { $0.priority > .medium && $0.status == .closed && $0.link == link },
      Ticket.where { !$0.priority.in([.low, .medium]) && !($0.status != .closed) },
      Ticket.where { $0.place == ticket.place && $0.labels == ["a": 1, "b": 2] },
      Ticket.where { $0.price == Decimal(1999) / 100 && $0.discount != nil },
      Ticket.where { $0.upper == uuid && $0.lower.in([uuid]) },
    ]
    for query in queries { #expect(try await store.count(query) == 1, "\(query)") }
    try await store.expect(Ticket.select { ($0.discount ?? 0, $0.price) }, rows: ["0.5 | 19.99"])
    try await store.write("set") { tx in
      try tx.update(Ticket.query, .set(\.price, to: 5), .set(\.discount, to: nil))
    }
    try await store.expect(Ticket.select { ($0.discount, $0.price) }, rows: ["nil | 5"])
  }

  @Test func valuesWithoutStorage() async throws {
    func expectUnstorable(_ column: String, _ reason: String, _ change: (inout Ticket) -> Void) async {
      var changing = ticket
      change(&changing)
      let changed = changing
      await #expect(throws: StoreError.unstorableValue(table: "ticket", column: column, reason: reason)) {
        try await store.write("set") { try $0.update(changed) }
      }
    }
    await expectUnstorable("link", "a URL with a base can't be stored: store its absoluteURL") {
      $0.link = URL(string: "page", relativeTo: $0.link)
    }
    await expectUnstorable("price", "an amount has two decimal places") { $0.price = Decimal(1) / 3 }
    await #expect(throws: StoreError.invalidQuery("an amount has two decimal places")) {
      try await store.fetch(Ticket.where { $0.price == Decimal(1) / 3 })
    }
  }

  @Test(
    arguments: [
      ("priority", "7", "the stored value is no case of Priority"),
      ("status", "'x'", "the stored value is no case of Status"),
      ("upper", "'x'", "the stored text is no UUID"), ("price", "'x'", "expected a number of cents"),
    ])
  func unreadable(_ column: String, value: String, reason: String) async throws {
    try await store.write("set") { try $0.execute("UPDATE ticket SET \(raw: column) = \(raw: value)") }
    let reason = "\(reason), in the row with id 1"
    await #expect(throws: StoreError.unreadableValue(table: "ticket", column: column, reason: reason)) {
      try await store.fetch(Ticket.query)
    }
  }

  /// Messages describe the error and contain no stored value.
  @Test(
    arguments: [
      ("{}", "there is no \"name\""), ("[]", "there is another value in place of a Dictionary<String, Any>"),
      (#"{"name": null, "latitude": 1, "tags": []}"#, "there is a null in place of a String"),
      (#"{"name": "secret", "latitude": "secret"}"#, "there is another value in place of a Double"),
      ("secret", "a value is malformed"), ("", "a value is malformed"),
    ])
  func unreadableJSON(_ json: String, reason: String) async throws {
    try await store.write("set") { try $0.execute("UPDATE ticket SET place = \(json)") }
    await #expect(
      throws: StoreError.unreadableValue(
        table: "ticket", column: "place", reason: "the stored JSON is no Place: \(reason), in the row with id 1")
    ) { try await store.fetch(Ticket.query) }
  }

  @Test func valuesWithoutJSON() async throws {
    var changing = ticket
    changing.place.latitude = .infinity
    let changed = changing
    await #expect(
      throws: StoreError.unstorableValue(
        table: "ticket", column: "place",
        reason: "the Place can't be encoded as JSON: a Double in it has no form in JSON")
    ) { try await store.write("set") { try $0.update(changed) } }
  }

  // MARK: Decimals as numbers

  @Record("price") struct Price: Equatable {
    var id: Int
    @Stored(as: .decimalNumber) var amount: Decimal?
  }

  /// A column that Core Data declares DECIMAL has integers and reals.
  @Test func decimalsAsNumbers() async throws {
    let queue = try DatabaseQueue()
    try await queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE price (id INTEGER PRIMARY KEY, amount DECIMAL);
          INSERT INTO price VALUES (1, '10.11'), (2, 100), (3, '3.3333333333'), (4, NULL), (5, 0.1), (6, -1e-9), (7, 1e20),
            (8, 3.3333333332999993)
          """)
    }
    let store = try await Store.open(queue, schema: [Price.self])
    let read = try await store.fetch(Price.order { $0.id }).map { $0.amount?.description }
    #expect(
      read == ["10.11", "100", "3.3333333333", nil, "0.1", "-0.000000001", "100000000000000000000", "3.3333333333"])
    let amounts = ["0.01", "-12345678901234.5", "7", "0"].map { Decimal(string: $0) }
    try await store.write("add") { tx in
      for (number, amount) in amounts.enumerated() { try tx.insert(Price(id: 10 + number, amount: amount)) }
    }
    #expect(try await store.fetch(Price.where { $0.id >= 10 }.order { $0.id }).map(\.amount) == amounts)
    let types = RawQuery("SELECT DISTINCT typeof(amount) FROM price WHERE id >= 10 ORDER BY 1", as: String.self)
    #expect(try await store.fetch(types) == ["integer", "real"])
    #expect(try await store.fetch(Price.where { $0.amount == 7 }).map(\.id) == [12])
  }

  @Test func decimalsThatNumbersCannotKeep() throws {
    let long = try #require(Decimal(string: "0.12345678901234567890"))
    #expect(throws: ValueError("the decimal has more digits than a floating-point number keeps")) {
      try DecimalNumberCoding.encode(long)
    }
    #expect(throws: ValueError.self) { try DecimalNumberCoding.encode(.nan) }
    for stored: StorageValue in [.real(1e300), .real(.leastNonzeroMagnitude), .real(.infinity)] {
      #expect(throws: ValueError("the stored number is out of the range of a Decimal"), "\(stored)") {
        try DecimalNumberCoding.decode(stored)
      }
    }
    #expect(throws: ValueError.self) { try DecimalNumberCoding.decode(.text("1")) }
    #expect(try DecimalNumberCoding.decode(.integer(.max)) == Decimal(Int64.max))
  }

  @Record("price") struct TextPrice {
    var id: Int
    var amount: Decimal?
  }

  /// A plain `Decimal` is a text. For numbers, opening names the coding.
  @Test func openingNamesTheCodingOfNumbers() async throws {
    let queue = try DatabaseQueue()
    try await queue.write {
      try $0.execute(
        sql: "CREATE TABLE price (id INTEGER PRIMARY KEY, amount DECIMAL); INSERT INTO price VALUES (1, 1.5)")
    }
    let error = await #expect(throws: StoreError.self) { try await Store.open(queue, schema: [TextPrice.self]) }
    #expect("\(String(describing: error))".contains("write @Stored(as: .decimalNumber)"))
  }
}
