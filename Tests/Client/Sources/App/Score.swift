import Foundation
import Sanderling

// Types that declare no isolation.

struct Points: Hashable {
  var value: Int
}

extension Points: SortableColumnValue {
  static var columnType: ColumnType { .integer }
  static func encode(_ value: Points) throws -> StorageValue { .integer(Int64(value.value)) }
  static func decode(_ stored: StorageValue) throws -> Points { try Points(value: Int.decode(stored)) }
}

struct Player: Hashable {
  var name: String
}

extension Player: ColumnValue {
  static var columnType: ColumnType { .text }
  static func encode(_ value: Player) throws -> StorageValue { .text(value.name) }
  static func decode(_ stored: StorageValue) throws -> Player { try Player(name: String.decode(stored)) }
}

enum Medal: String {
  case gold, silver
}

extension Medal: TextColumnValue {}

@Record
struct Score {
  var id: Int64?
  var points: Points = Points(value: 0)
  var player: Player?
  var medal: Medal = .silver
  @Stored(as: .json) var events: [Event] = []
  @Stored(as: .json) var last: Event?
  var rivalID: Int64?
  static let others = hasMany(Score.self, by: \.rivalID)

  struct Event: Codable, Hashable {
    var text: String
    var kind = Kind.hit
    enum Kind: String, Codable { case hit, miss }
  }

  var title: String { "\(player?.name ?? "") \(medal)" }
}

@Projection(of: Score.self)
struct PlayerScore {
  var player: Player?
  var best: Points?
  var total: Int
  static let best = aggregate { $0.others.max(\.points) }
  static let total = aggregate { $0.others.count }
}

extension Score {
  static func winners(of store: Store) async throws -> [Score] {
    try await store.fetch(
      Score.where { $0.points > Points(value: 3) && $0.medal == .gold }.order { $0.points.descending })
  }
}
