import SanderlingSQLite
import Synchronization

/// Conversions that only the linked SQLite can do: printing reals, reading them from texts, and rounding them.
///
/// The number of printed digits, and the last bit of a real that is read from a text, depend on SQLite's version and on
/// the platform's `long double`. So SQLite itself converts, on a private connection to an empty database in memory, one
/// value at a time. Each conversion takes about a microsecond.
enum SQLiteConversions {
  /// The text of a real in a conversion to TEXT.
  static func text(of real: Double) throws -> String {
    guard case .text(let text) = try answer(.text, .real(real)) else { throw failure }
    return text
  }

  /// The text of a real in SQL: `quote(real)`.
  static func quoted(_ real: Double) throws -> String {
    guard case .text(let text) = try answer(.quoted, .real(real)) else { throw failure }
    return text
  }

  /// The real at the beginning of a text.
  static func real(ofText bytes: UnsafeRawBufferPointer) throws -> Double {
    let text = String(decoding: bytes, as: UTF8.self)
    guard case .real(let real) = try answer(.real, .text(text)) else { throw failure }
    return real
  }

  /// `round(value, places)`.
  static func round(_ value: StorageValue, places: StorageValue) throws -> StorageValue {
    try answer(.round, value, places)
  }

  fileprivate enum Question: String, CaseIterable {
    case text = "SELECT CAST(? AS TEXT)"
    case quoted = "SELECT quote(?)"
    case real = "SELECT CAST(? AS REAL)"
    case round = "SELECT round(?, ?)"
  }

  /// The shared calculator, made at the first use. The lock guards its statements during a call.
  private static let calculator = Lock<Calculator?>(nil)

  private static var failure: EvaluationError {
    .unsupported("SQLite could not convert a value: there may be no memory left")
  }

  private static func answer(_ question: Question, _ values: StorageValue...) throws -> StorageValue {
    try calculator.withLock { calculator in
      if calculator == nil { calculator = Calculator() }
      guard let statement = calculator?.statements[question] else { throw failure }
      defer {
        sqlite3_reset(statement)
        sqlite3_clear_bindings(statement)
      }
      for (index, value) in values.enumerated() {
        try ParameterBinder(statement: statement).bind(value, at: Int32(index) + 1)
      }
      guard sqlite3_step(statement) == SQLITE_ROW else { throw failure }
      return ResultRow(statement: statement).storageValue(at: 0)
    }
  }
}

/// The prepared statements of the conversions. They are kept as long as the process lives.
private struct Calculator {
  private(set) var statements: [SQLiteConversions.Question: OpaquePointer] = [:]

  init?() {
    var connection: OpaquePointer?
    // The lock around the calculator makes SQLite's own mutex superfluous.
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX
    guard sqlite3_open_v2(":memory:", &connection, flags, nil) == SQLITE_OK else {
      sqlite3_close_v2(connection)
      return nil
    }
    for question in SQLiteConversions.Question.allCases {
      var statement: OpaquePointer?
      sqlite3_prepare_v2(connection, question.rawValue, -1, &statement, nil)
      statements[question] = statement
    }
  }
}
