import Foundation
import GRDB
import Sanderling
import Testing

@testable import SanderlingCLI

/// The associations of printed records lead to the rows that joins by SQL find.
struct RecordAssociationsTests {
  private typealias Made = LinkedMade

  @Test func associationsLeadToTheRowsOfJoins() async throws {
    let folder = try TemporaryFolder()
    let queue = try DatabaseQueue(path: folder.file("a.sqlite"))
    try await queue.write(RecordsCommandTests.Fixture.linked.make)
    let store = try await Store.open(queue, schema: Made.schema)
    func check<R: StoredRecord>(
      _ query: Selection<R, R>, _ sql: String, _ location: SourceLocation = #_sourceLocation
    ) async throws {
      let table = R.table.name
      let columns = R.table.columns.map { "\"\($0.name)\"" }.joined(separator: ", ")
      let found = try await store.fetch(query).map { try $0.storageValues().description }.sorted()
      let plain = try await store.fetch(
        RawQuery(RawSQL(stringLiteral: "SELECT \(columns) FROM \"\(table)\" AS t WHERE \(sql)"), as: R.self)
      ).map { try $0.storageValues().description }.sorted()
      #expect(found == plain, sourceLocation: location)
      #expect(!plain.isEmpty, sourceLocation: location)
    }
    // Several keys to one table, and to the own table.
    try await check(Made.Message.where { $0.senderUser.name == "a" }, "sender_id = 1")
    try await check(Made.Message.where { $0.recipient.name == "c" }, "recipient_id = 3")
    try await check(
      Made.User.where { $0.messagesAsSender.count == 2 }, "(SELECT count(*) FROM messages WHERE sender_id = t.id) = 2")
    try await check(Made.User.where { $0.messagesAsRecipient.count == 1 }, "id IN (SELECT recipient_id FROM messages)")
    try await check(Made.Message.where { $0.messagesAsReplyTo.count == 2 }, "id = 1")
    try await check(Made.User.where { $0.usersAsManager.count == 2 }, "id = 1")
    try await check(Made.Category.where { $0.children.contains { $0.title == "y" } }, "id = 1")
    try await check(Made.Category.where { $0.parent.title == "x" }, "parent = 1")
    // A column and an association with one name, a key that is a text, and one with two columns.
    try await check(Made.Product.where { $0.category.title == "y" }, "category = 2")
    try await check(Made.Order.where { $0.currency.code == "EUR" }, "currency = 'EUR'")
    try await check(Made.Currency.where { $0.orders.count == 2 }, "code = 'EUR'")
    try await check(Made.Shipment.where { $0.item.productID == 1 }, "id IN ('s1', 's2', 's3')")
    try await check(Made.OrderItem.where { $0.shipments.count == 2 }, "order_id = 1 AND number = 1")
    try await check(Made.OrderItem.order { $0.number }, "true")
    // Join tables.
    try await check(Made.Product.where { $0.tagsThroughProductTags.contains { $0.title == "blue" } }, "id = 1")
    try await check(Made.Tag.where { $0.products.count == 2 }, "title = 'red'")
    try await check(Made.User.where { $0.friends.contains { $0.name == "c" } }, "id IN (1, 2)")
    try await check(Made.User.where { $0.users.contains { $0.name == "a" } }, "id IN (2, 3)")
    // A key that is a foreign key, and a table without a key.
    try await check(Made.Profile.where { $0.user.name == "a" }, "user_id = 1")
    try await check(Made.Log.where { $0.user.name == "a" }, "user_id = 1")
    try await check(Made.User.where { $0.logs.count == 2 }, "id = 1")
  }
}
