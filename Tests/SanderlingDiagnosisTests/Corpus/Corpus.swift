import Foundation

/// All schemas of the corpus with their statements, read from the files beside this file. ``CorpusFile`` describes the
/// files.
enum Corpus {
  /// The schemas that the diagnosis was developed with.
  static let built = read("Built")

  /// The held-out schemas: schemas of other programs, with rows and statements made for the corpus.
  /// Documentation/Diagnosis-rounds.md has the results at first sight. A schema is known once the diagnosis was changed
  /// for it, so each release adds new schemas.
  static let heldOut = read("HeldOut")

  static var schemas: [CorpusSchema] { built + heldOut }

  static var statements: [CorpusStatement] { schemas.flatMap(\.statements) }

  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

  /// The schema with this name. Ends the process if there is none.
  static subscript(name: String) -> CorpusSchema {
    guard let schema = schemas.first(where: { $0.name == name }) else {
      preconditionFailure("The corpus has no schema \(name).")
    }
    return schema
  }

  /// Reads the files of a folder, in the order of their names. A file with an error ends the process, since a corpus
  /// without the file would give other scores.
  private static func read(_ folder: String) -> [CorpusSchema] {
    do {
      return try files(folder).map { try CorpusFile.schema(at: $0) }
    } catch {
      preconditionFailure("\(error)")
    }
  }

  static func files(_ folder: String) throws -> [URL] {
    try FileManager.default
      .contentsOfDirectory(at: self.folder.appending(path: folder), includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "sql" }
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
  }
}
