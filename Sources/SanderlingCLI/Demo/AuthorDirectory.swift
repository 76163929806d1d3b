import Sanderling

/// The keys of all authors by name. A commit's author is found without a query.
///
/// Names are compared by their bytes, as git and SQLite do. Swift's own comparison finds the composed and the
/// decomposed "é" equal.
///
/// Memory grows with the number of authors, not of commits: about ten megabytes for a hundred thousand authors.
struct AuthorDirectory: Sendable {
  private var keys: [StorageValue: Int64] = [:]

  init(of store: Store) async throws {
    for (key, name) in try await store.fetch(Author.select { ($0.id, $0.name) }) { keys[.text(name)] = key }
  }

  /// Returns the author's key, or nil if the store has no author of this name.
  func key(of name: String) -> Int64? {
    keys[.text(name)]
  }

  /// Returns the author's key. Inserts the author if the store has none of this name.
  mutating func key(of name: String, insertingIn transaction: WriteTransaction) throws -> Int64 {
    if let key = keys[.text(name)] { return key }
    let key = try transaction.insert(Author(name: name))
    keys[.text(name)] = key
    return key
  }
}
