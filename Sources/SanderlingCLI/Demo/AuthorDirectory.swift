import Sanderling

/// The keys of all authors by name, so that a commit's author is found without a query.
///
/// Names are one when their bytes are, as they are to git and SQLite: not when Swift compares them, to which the composed and
/// the decomposed "é" are equal.
///
/// Memory grows with the number of authors, not of commits: some ten megabytes for a hundred thousand.
struct AuthorDirectory: Sendable {
  private var keys: [StorageValue: Int64] = [:]

  init(of store: Store) async throws {
    for (key, name) in try await store.fetch(Author.select { ($0.id, $0.name) }) { keys[.text(name)] = key }
  }

  /// The author's key, or nil when the store has no author of this name.
  func key(of name: String) -> Int64? {
    keys[.text(name)]
  }

  /// The key of the author with a name, who is inserted if missing.
  mutating func key(of name: String, insertingIn transaction: WriteTransaction) throws -> Int64 {
    if let key = keys[.text(name)] { return key }
    let key = try transaction.insert(Author(name: name))
    keys[.text(name)] = key
    return key
  }
}
