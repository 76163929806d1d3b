import Foundation
import Sanderling

/// Records that are shown in sections, with few different values in each column.
enum Sectioned {
  @Record
  struct Owner: Hashable {
    var id: Int
    var name: String
    static let items = hasMany(Item.self, by: \.ownerID)
  }

  @Record
  struct Item: Hashable {
    var id: Int
    var ownerID: Int?
    var status: Int?
    var title: String
    var isDone = false
    var estimate: Int?
    static let owner = belongsTo(Owner.self, by: \.ownerID)
  }

  static let schema: [any StoredRecord.Type] = [Owner.self, Item.self]

  /// Returns a random change of owners and items.
  static func change(using generator: inout SeededGenerator) -> @Sendable (WriteTransaction) throws -> Void {
    func number(_ range: Range<Int>) -> Int { .random(in: range, using: &generator) }
    let id = number(0..<40)
    let (owner, status, title) = (number(0..<5), number(0..<5), ["a", "b", "B", "é", "e\u{301}"][number(0..<5)])
    let (estimate, isDone) = (number(0..<30), Bool.random(using: &generator))
    switch number(0..<12) {
    case 0..<5:
      let item = Item(
        id: id, ownerID: owner == 0 ? nil : owner, status: status == 0 ? nil : status, title: title, isDone: isDone,
        estimate: estimate == 0 ? nil : estimate)
      return { try $0.upsert(item) }
    case 5: return { _ = try $0.delete(Item.self, key: id) }
    case 6:
      return { _ = try $0.update(Item.where { $0.id < id && $0.status == status }, .set(\.status, to: estimate % 6)) }
    case 7: return { _ = try $0.update(Item.where { $0.id == id }, .set(\.ownerID, to: owner)) }
    case 8: return { _ = try $0.update(Item.where { $0.id > id }, .set(\.isDone, to: isDone)) }
    case 9: return { _ = try $0.delete(Owner.self, key: owner) }
    case 10: return { _ = try $0.delete(Item.where { $0.status == status && $0.id < id }) }
    default: return { try $0.upsert(Owner(id: owner, name: title)) }
    }
  }
}

extension SectionedSnapshot where Element: Identifiable {
  /// Whether all section headers agree with the shown rows of their sections.
  var isConsistent: Bool {
    sections.allSatisfy { section in
      if !section.isOpen { return section.rows.isEmpty && !section.hasMore && section.count > 0 }
      return section.hasMore
        ? section.rows.count < section.count : section.rows.count == section.count && section.count > 0
    }
  }
}
