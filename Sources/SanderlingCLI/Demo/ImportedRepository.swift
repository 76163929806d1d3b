import Sanderling

/// The repository whose history a store holds. The table has one row.
@Record
struct ImportedRepository {
  var id: Int
  var gitDirectory: String

  static let onlyKey = 1
}
