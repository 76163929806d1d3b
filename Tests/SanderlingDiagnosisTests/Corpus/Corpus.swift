import Foundation

/// All schemas with their statements, read from the files beside this one. ``CorpusFile`` describes the files.
enum Corpus {
  /// The schemas that the diagnosis was developed with.
  static let built = read("Built")

  /// The held-out schemas: those of other programs, with rows and statements of our own. Documentation/Diagnosis-rounds.md has the
  /// figures at first sight. A schema is known once something was mended for it, so each release adds new ones.
  static let heldOut = read("HeldOut")

  static var schemas: [CorpusSchema] { built + heldOut }

  static var statements: [CorpusStatement] { schemas.flatMap(\.statements) }

  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

  /// The schema with this name, which there must be.
  static subscript(name: String) -> CorpusSchema {
    guard let schema = schemas.first(where: { $0.name == name }) else {
      preconditionFailure("The corpus has no schema \(name).")
    }
    return schema
  }

  /// Reads the files of a folder, by their names. A file with an error ends the tests: a corpus without it would score something else.
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
