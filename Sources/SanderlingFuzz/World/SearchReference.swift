import GRDB
import Sanderling
import SanderlingSQLite

/// The texts that match a search input, determined from the texts alone, without an index, a trigger or a row's
/// document.
///
/// The match of one text is the library's definition, which has its own tests with results by hand. The other rules are
/// written a second time here: matches of several texts together, NULL, and the arguments of the SQL function.
enum SearchReference {
  /// The name of the SQL function that decides a search, which each connection of a round has.
  static let function = "fuzz_matches"

  private struct Question: Hashable {
    let kind: String
    let input: String
    let texts: [[UInt8]]
  }

  /// Guards the answers. There are few questions, and each is asked many times.
  private static let known = Lock<[Question: Bool]>([:])
  private static let mostKnown = 50_000

  /// - Parameter texts: The texts that are not NULL.
  private static func answer(_ question: Question) -> Bool {
    if let answer = known.withLock({ $0[question] }) { return answer }
    let answer = decide(question)
    known.withLock { known in
      if known.count >= mostKnown { known = [:] }
      known[question] = answer
    }
    return answer
  }

  private static func decide(_ question: Question) -> Bool {
    guard let kind = SearchKind(rawValue: question.kind) else {
      preconditionFailure("the library names its kinds of searches")
    }
    let search = TextSearch(question.input, in: kind)
    let texts = question.texts.map { String(decoding: $0, as: UTF8.self) }
    guard kind == .words, texts.count > 1 else { return texts.contains { search.matches($0) } }
    let found = texts.map { search.found(in: $0) }
    return search.exclusions.enumerated().allSatisfy { term, isExcluded in
      found.contains { $0[term] } != isExcluded
    }
  }

  static func register(on db: Database) throws {
    let code = sqlite3_create_function_v2(
      db.sqliteConnection, function, -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil,
      { context, count, values in
        guard let values, count > 2 else { return }
        func text(_ index: Int) -> [UInt8]? {
          guard let value = values[index], sqlite3_value_type(value) != SQLITE_NULL else { return nil }
          let bytes = sqlite3_value_text(value)
          return Array(UnsafeBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value))))
        }
        let question = SearchReference.Question(
          kind: String(decoding: text(0) ?? [], as: UTF8.self), input: String(decoding: text(1) ?? [], as: UTF8.self),
          texts: (2..<Int(count)).compactMap(text))
        sqlite3_result_int(context, SearchReference.answer(question) ? 1 : 0)
      }, nil, nil, nil)
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }

  /// The condition that replaces a search.
  ///
  /// - Parameter arguments: The kind, the input, and the columns.
  static func term(_ arguments: [Term]) -> Term {
    var fragments: [RawFragment] = [.sql(ExactText("\(function)("))]
    for (index, argument) in arguments.enumerated() {
      if index > 0 { fragments.append(.sql(", ")) }
      fragments.append(.term(argument))
    }
    return .raw(fragments + [.sql(")")])
  }
}
