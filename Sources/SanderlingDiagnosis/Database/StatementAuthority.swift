import SanderlingSQLite

/// The permitted actions of a statement, by its author.
enum StatementAuthority: Sendable {
  static let writeAction = "write"

  /// A statement of this module.
  case own
  /// A statement of a log or an argument that only reads.
  case reading
  /// A statement of a log or an argument that may also change rows of ordinary tables: on a copy, inside a savepoint.
  case writing
  /// A fix on a copy: indexes and statistics.
  case trial

  /// Returns the forbidden action in words; nil if the action is permitted.
  func refusal(of action: Int32, _ first: String?, _ second: String?) -> String? {
    switch action {
    case SQLITE_SELECT, SQLITE_READ, SQLITE_RECURSIVE: nil
    case SQLITE_FUNCTION: functionRefusal(second ?? "")
    case _ where self == .own: nil
    case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE: writeRefusal(first ?? "")
    case SQLITE_CREATE_INDEX, SQLITE_DROP_INDEX, SQLITE_ANALYZE, SQLITE_REINDEX, SQLITE_CREATE_TABLE:
      self == .trial ? nil : "change the schema"
    case SQLITE_ATTACH, SQLITE_DETACH: "attach another database"
    // A full-text table itself uses this pragma to check for outside changes.
    case SQLITE_PRAGMA: first?.asciiLowercased == "data_version" ? nil : "read or change a setting"
    case SQLITE_TRANSACTION, SQLITE_SAVEPOINT: "begin or end a transaction"
    default: "change the schema"
    }
  }

  /// Functions that load code or return addresses.
  private func functionRefusal(_ name: String) -> String? {
    switch name.lowercased() {
    case "load_extension", "fts3_tokenizer", "readfile", "writefile", "edit": "call \(name.lowercased())()"
    default: nil
    }
  }

  private func writeRefusal(_ table: String) -> String? {
    switch self {
    case .own, .trial: nil
    case .reading: Self.writeAction
    case .writing: table.lowercased().hasPrefix("sqlite_") ? "write to SQLite's own tables" : nil
    }
  }
}
