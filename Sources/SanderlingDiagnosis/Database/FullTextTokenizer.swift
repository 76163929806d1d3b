import SanderlingSQLite

/// Registers FTS5's unicode61 under the names of an app's tokenizers.
enum FullTextTokenizer {
  /// Registers a tokenizer. Returns false if this SQLite has no FTS5.
  @discardableResult
  static func register(_ name: String, on database: OpaquePointer) -> Bool {
    guard let api = api(of: database), let find = api.pointee.xFindTokenizer,
      let create = api.pointee.xCreateTokenizer
    else { return false }
    final class Context {
      var data: UnsafeMutableRawPointer?
      var methods = fts5_tokenizer()
    }
    let context = Context()
    guard find(api, "unicode61", &context.data, &context.methods) == SQLITE_OK else { return false }
    var methods = context.methods
    // The arguments are meant for the app's tokenizer, so unicode61 gets none.
    methods.xCreate = { context, _, _, result in
      guard let context else { return SQLITE_ERROR }
      let original = Unmanaged<Context>.fromOpaque(context).takeUnretainedValue()
      return original.methods.xCreate?(original.data, nil, 0, result) ?? SQLITE_ERROR
    }
    let code = create(api, name, Unmanaged.passRetained(context).toOpaque(), &methods) { context in
      if let context { Unmanaged<Context>.fromOpaque(context).release() }
    }
    return code == SQLITE_OK
  }

  /// FTS5 knows the pointer's type by this name. SQLite keeps the address, and reads the name when the statement runs.
  private static let pointerType: StaticString = "fts5_api_ptr"

  private static func api(of database: OpaquePointer) -> UnsafeMutablePointer<fts5_api>? {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(database, "SELECT fts5(?1)", -1, &statement, nil) == SQLITE_OK else { return nil }
    defer { sqlite3_finalize(statement) }
    var api: UnsafeMutablePointer<fts5_api>?
    withUnsafeMutablePointer(to: &api) { pointer in
      pointerType.utf8Start.withMemoryRebound(to: CChar.self, capacity: pointerType.utf8CodeUnitCount + 1) {
        _ = sqlite3_bind_pointer(statement, 1, pointer, $0, nil)
      }
      sqlite3_step(statement)
    }
    return api
  }
}
