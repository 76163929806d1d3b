import Foundation

/// The databases of the corpus, each built once for a run. The folder is removed when the process ends.
///
/// With `SANDERLING_CORPUS_FOLDER`, the databases are kept in that folder. They are used again as long as their scripts
/// stay the same.
actor CorpusFolder {
  static let shared = CorpusFolder()

  private let folder: URL
  private var paths: [String: String] = [:]

  private init() {
    if let kept = ProcessInfo.processInfo.environment["SANDERLING_CORPUS_FOLDER"] {
      folder = URL(fileURLWithPath: kept, isDirectory: true)
    } else {
      folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("sanderling-corpus-\(ProcessInfo.processInfo.processIdentifier)", isDirectory: true)
      atexit { CorpusFolder.remove() }
    }
  }

  /// The path of the schema's database, which must not be changed.
  func path(of schema: CorpusSchema) throws -> String {
    if let path = paths[schema.name] { return path }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let digest = String(CorpusPart.hash(schema.script), radix: 16)
    let path = folder.appendingPathComponent("\(schema.name)-\(digest).sqlite").path
    if !FileManager.default.fileExists(atPath: path) {
      let unfinished = path + ".unfinished"
      try? FileManager.default.removeItem(atPath: unfinished)
      try Self.build(schema, at: unfinished)
      try FileManager.default.moveItem(atPath: unfinished, toPath: path)
    }
    paths[schema.name] = path
    return path
  }

  /// A copy of the schema's database for trying changes. The caller removes the copy.
  func copy(of schema: CorpusSchema) throws -> String {
    let original = try path(of: schema)
    let copy = folder.appendingPathComponent("\(schema.name)-copy-\(UUID().uuidString).sqlite").path
    try FileManager.default.copyItem(atPath: original, toPath: copy)
    return copy
  }

  private static func build(_ schema: CorpusSchema, at path: String) throws {
    let connection = try CorpusConnection(path: path)
    try connection.prepareForScripts()
    try connection.execute("PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF; BEGIN")
    try connection.execute(schema.script)
    try connection.execute("COMMIT")
  }

  private static func remove() {
    let name = "sanderling-corpus-\(ProcessInfo.processInfo.processIdentifier)"
    try? FileManager.default.removeItem(at: FileManager.default.temporaryDirectory.appendingPathComponent(name))
  }
}
