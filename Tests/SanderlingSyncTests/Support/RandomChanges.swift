import Sanderling

extension Store {
  /// Makes a random edit of folders, notes or tags. There are few keys, so that devices edit the same rows.
  func change(_ generator: inout SeededGenerator) async throws {
    let folder = Int.random(in: 1...3, using: &generator)
    let id = "n\(Int.random(in: 0..<10, using: &generator))"
    let text = "t\(Int.random(in: 0..<1_000, using: &generator))"
    let choice = Int.random(in: 0..<6, using: &generator)
    let isPinned = generator.chance(0.5)
    try await write { tx in
      try tx.upsert(Folder(id: folder, name: "folder"))
      switch choice {
      case 0:
        _ = try tx.delete(Tagging.where { $0.noteID == id })
        _ = try tx.delete(Note.where { $0.id == id })
      case 1: _ = try tx.update(Note.where { $0.id == id }, .set(\.title, to: text))
      case 2: _ = try tx.update(Note.where { $0.id == id }, .set(\.isPinned, to: isPinned))
      case 3:
        if try tx.fetch(Note.self, key: id) != nil { try tx.upsert(Tagging(noteID: id, tag: "tag of é")) }
      default:
        try tx.upsert(
          Note(id: id, folderID: folder, title: text, body: choice == 4 ? text : nil, rank: 0.25, isPinned: isPinned))
      }
    }
  }
}
