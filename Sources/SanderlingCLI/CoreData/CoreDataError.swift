/// The reason why `sanderling records` can't print records of a store of Core Data.
enum CoreDataError: CommandError, Equatable {
  case unknownVersion(String, Int)
  case damagedModel(String, reason: String)
  case otherModel(String, reason: String)

  var description: String {
    switch self {
    case .unknownVersion(let path, let version):
      "\(path.printable) is a store of Core Data of the unknown version \(version), and version 1 can be read. "
        + "Update sanderling, or name a store of version 1."
    case .damagedModel(let path, let reason):
      "The model cache of \(path.printable) is damaged: \(reason.printable). \(Self.remedy)"
    case .otherModel(let path, let reason):
      "The model cache of \(path.printable) doesn't fit its tables: \(reason.printable). \(Self.remedy)"
    }
  }

  private static let remedy =
    "Open a copy of the store with the app, which writes the cache again. "
    + "Or delete the rows of Z_MODELCACHE in a copy: then names come from the columns."
}
