import Foundation

/// The reason why a profile's file can't be read, or why no database can be generated from it.
public enum ProfileError: Error, Hashable, Sendable {
  /// The file contains no profile.
  case notAProfile
  /// The profile has an unknown version.
  case unknownVersion(Int)
  /// Two parts of the profile contradict each other.
  case damaged(part: String)
  /// A file exists at the path, and stays unchanged.
  case fileExists(path: String)
  /// The database can't be written at the path.
  case notWritable(path: String, reason: String)
  /// SQLite refuses the named statement of the schema.
  case schema(name: String, reason: String)
}

extension ProfileError: LocalizedError, CustomStringConvertible {
  public var errorDescription: String? { description }

  public var description: String {
    switch self {
    case .notAProfile: "The file is no profile. Make one with `sanderling profile`."
    case .unknownVersion(let version):
      "The profile has version \(version), and this version of Sanderling reads only version \(ProfileContent.currentVersion). Use the version that made the profile."
    case .damaged(let part):
      "The profile is damaged: \(part) can't be read. Make the profile again, or ask for another copy."
    case .fileExists(let path): "\(path) exists, and was left alone. Name a file that doesn't exist."
    case .notWritable(let path, let reason): "\(path) can't be written: \(reason). Check the disk and the folder."
    case .schema(let name, let reason):
      "SQLite refuses the profile's \(name): \(reason). It may need a newer SQLite, or a function that only the app has."
    }
  }
}
