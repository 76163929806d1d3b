import Sanderling

/// The repository that a store was filled from. There is one row.
@Record
struct ImportedRepository {
  var id: Int
  var gitDirectory: String

  static let onlyKey = 1
}
