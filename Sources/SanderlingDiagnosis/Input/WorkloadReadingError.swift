/// The reason why no statements could be read from a file.
public enum WorkloadReadingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file can't be read, for the system's reason.
  case unreadable(name: String, reason: String)
  /// The path leads to a folder or a device.
  case noFile(name: String, kind: String)
  /// The file contains no statement in any of the formats.
  case noStatements(name: String, formats: String)

  public var description: String {
    switch self {
    case .unreadable(let name, let reason):
      "\(name) can't be read: \(reason) Check the path and the permissions."
    case .noFile(let name, let kind): "\(name) is \(kind). Name a file."
    case .noStatements(let name, let formats):
      "\(name) has no statement in it that could be diagnosed. Looked for: \(formats). Check that it is the right file and that the "
        + "app logged statements."
    }
  }
}
