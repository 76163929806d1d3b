import GRDB
import Sanderling
import SanderlingSQLite

/// The folds of texts, computed from the texts themselves, without a column of folds or a trigger.
enum TextReference {
  /// The name of the SQL function that computes a fold, which each connection of a round has.
  static let function = "fuzz_fold"

  /// Guards the computed folds. There are few texts, and each is requested many times.
  private static let known = Lock<[[UInt8]: String]>([:])
  private static let mostKnown = 20_000

  /// The fold, as the public interface folds a text that is compared with folds.
  static func fold(_ text: String) -> String {
    let bytes = Array(text.utf8)
    if let fold = known.withLock({ $0[bytes] }) { return fold }
    let query = Note.where { $0.text.folded == text }
    guard case .binary(.equal, _, .constant(.text(let fold)))? = query.statement.condition else {
      preconditionFailure("a comparison is one with a constant")
    }
    known.withLock { known in
      if known.count >= mostKnown { known = [:] }
      known[bytes] = fold
    }
    return fold
  }

  static func register(on db: Database) throws {
    let code = sqlite3_create_function_v2(
      db.sqliteConnection, function, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil,
      { context, _, values in
        guard let value = values?[0], sqlite3_value_type(value) != SQLITE_NULL else { return }
        let bytes = sqlite3_value_text(value)
        let count = Int(sqlite3_value_bytes(value))
        let fold = TextReference.fold(String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self))
        var copy = fold
        copy.withUTF8 { bytes in
          bytes.withMemoryRebound(to: CChar.self) { bytes in
            sqlite3_result_text64(
              context, bytes.baseAddress ?? UnsafePointer(emptyText), UInt64(bytes.count), transient, UInt8(SQLITE_UTF8)
            )
          }
        }
      }, nil, nil, nil)
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }
}

/// The address of an empty text, because a null pointer would mean NULL. Safe without isolation: the memory is never
/// written, and never freed.
nonisolated(unsafe) private let emptyText = UnsafeMutablePointer<CChar>.allocate(capacity: 1)

/// SQLITE_TRANSIENT, a function pointer that C casts from -1. SQLite compares the pointer and never calls it.
private let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

// MARK: - Queries

extension LiveQuerySpec {
  /// The same query, with each fold computed from the column's text and each search decided by the texts.
  var foldingTexts: LiveQuerySpec {
    var result = self
    result.statement = statement.foldingTexts
    if case .prefetched(var prefetch) = reading {
      for index in prefetch.parts.indices {
        prefetch.parts[index].condition = prefetch.parts[index].condition?.foldingTexts
        prefetch.parts[index].orderings = prefetch.parts[index].orderings.map(\.foldingTexts)
      }
      result.reading = .prefetched(prefetch)
    }
    return result
  }
}

extension SelectStatement {
  fileprivate var foldingTexts: SelectStatement {
    var result = self
    result.columns = columns.map(\.foldingTexts)
    result.condition = condition?.foldingTexts
    result.orderings = orderings.map(\.foldingTexts)
    result.groups = groups.map(\.foldingTexts)
    result.groupCondition = groupCondition?.foldingTexts
    return result
  }
}

extension Ordering {
  fileprivate var foldingTexts: Ordering { Ordering(term: term.foldingTexts, isDescending: isDescending, nulls: nulls) }
}

extension Term {
  fileprivate var foldingTexts: Term {
    switch self {
    case .function(.folded, let operands) where operands.count == 1:
      return .raw([.sql("CAST(\(TextReference.function)("), .term(operands[0]), .sql(") AS TEXT)")])
    case .function(.matches, let arguments): return SearchReference.term(arguments)
    case .unary(let op, let operand): return .unary(op, operand.foldingTexts)
    case .binary(let op, let lhs, let rhs): return .binary(op, lhs.foldingTexts, rhs.foldingTexts)
    case .membership(let operand, let members): return .membership(operand.foldingTexts, members)
    case .subquery(let operand, let subquery):
      let query = Selection<Place, AnyValue>(statement: subquery.statement.foldingTexts) {
        try $0.value(at: 0, as: AnyValue.self)
      } decodeAll: { _ in
        []
      }
      return Field<AnyValue>(operand.foldingTexts, as: AnyValue.self).in(query).term
    case .prefix(let operand, let text) where operand.isFold:
      // The first bytes are compared, not a range. SQLite's substr() of an empty blob is NULL.
      let bytes = Array(text.string.utf8)
      let fold = operand.foldingTexts
      return .raw([
        .sql("CASE WHEN "), .term(fold), .sql(" IS NOT NULL THEN ifnull(substr(CAST("), .term(fold),
        .sql(" AS BLOB), 1, \(bytes.count)), X'') = \(bytes.hexLiteral) END"),
      ])
    case .prefix(let operand, let text): return .prefix(operand.foldingTexts, text)
    case .function(let function, let operands): return .function(function, operands.map(\.foldingTexts))
    case .collate(let operand, let collation): return .collate(operand.foldingTexts, collation)
    case .summary(let function, let argument): return .summary(function, argument?.foldingTexts)
    case .aggregate(let aggregate):
      var rows = aggregate.rows
      rows.condition = rows.condition?.foldingTexts
      return .aggregate(
        AggregateTerm(function: aggregate.function, argument: aggregate.argument?.foldingTexts, rows: rows))
    case .raw(let fragments):
      return .raw(fragments.map { if case .term(let term) = $0 { .term(term.foldingTexts) } else { $0 } })
    default: return self
    }
  }
}
