import Foundation
import Sanderling

/// Tests the declaration of one record.
struct HTTPTrial {
  private typealias Row = [String: ForeignValue]

  /// The received rows of the record.
  private struct Seen {
    var rows: [(row: [String: ForeignValue], key: [StorageValue])] = []
  }

  private let adapter: HTTPAdapter
  private let coding: HTTPRowCoding
  private let declaration: HTTPRecord
  private var findings: [HTTPFinding] = []

  init(_ adapter: HTTPAdapter, _ coding: HTTPRowCoding) {
    (self.adapter, self.coding, declaration) = (adapter, coding, coding.declaration)
  }

  /// - Throws: `CancellationError`.
  mutating func run() async throws -> [HTTPFinding] {
    let seen = Lock(Seen())
    var coding = coding
    coding.sees = { row, key in seen.withLock { $0.rows.append((row, key)) } }
    var pages: [Int] = []
    do {
      // The test ends at the second page with rows.
      for try await _ in adapter.reading(coding).batches(after: nil) {
        let count = seen.withLock { $0.rows.count }
        if count > (pages.last ?? 0) { pages.append(count) }
        // A second page of an answer declared as the only one is the same list again: the number of rows reveals the
        // error.
        if pages.count == 2, declaration.pages != .single { break }
      }
    } catch {
      try Task.checkCancellation()
      note(.wrong, String(describing: error))
      return findings
    }
    let rows = seen.withLock { $0.rows }
    guard !rows.isEmpty else {
      note(.untried, "the server has no rows, so that no other check is possible. Give it two pages of rows")
      return findings
    }
    lookAtPages(rows.map(\.key), pages)
    lookAtFields(rows.map(\.row))
    lookAtVersion(rows.map(\.row))
    lookAtFlag(rows.map(\.row))
    try await lookAtCount()
    try await lookAtSince(rows.map(\.row), first: rows[0].key)
    try await lookAtAddress(rows)
    return findings
  }

  private mutating func note(_ kind: HTTPFinding.Kind, _ message: String) {
    findings.append(HTTPFinding(kind: kind, record: declaration.record.name, message: message))
  }

  private func isDeleted(_ row: Row) -> Bool { declaration.deletedFlag.flatMap { row.member($0)?.isTrue } == true }

  // MARK: Rows

  private mutating func lookAtPages(_ keys: [[StorageValue]], _ pages: [Int]) {
    guard pages.count == 2 else {
      if declaration.pages == .single {
        note(
          .untried,
          "\(keys.count) rows came in one answer. Only a declared count shows whether the server has more (HTTPRecord.count)"
        )
      } else {
        note(.untried, "\(keys.count) rows came, and no second page. Give the server more rows than a page has")
      }
      return
    }
    if Set(keys[..<pages[0]]).isSuperset(of: keys[pages[0]...]) {
      // Some servers repeat the last page for a too great number.
      let isKnown = if case .numbers = declaration.pages { false } else { true }
      note(
        isKnown ? .wrong : .untried,
        "the second page has only rows of the first page: the server ignores the parameter for the next page")
    } else {
      note(.confirmed, "\(pages[0]) rows came, and a second page after them")
    }
  }

  private mutating func lookAtFields(_ rows: [Row]) {
    let present = rows.filter { !isDeleted($0) }
    if present.isEmpty { return }
    var isComplete = true
    for (column, field) in coding.columnFields where !present.contains(where: { $0[field] != nil }) {
      isComplete = false
      note(
        column.acceptsNull ? .untried : .wrong,
        "no row has the field \(field), of the column \(column.name). Name the field (HTTPRecord.fields), or keep the column on the device"
      )
    }
    if isComplete { note(.confirmed, "each column has its field") }
    let others = Set(present.flatMap(\.keys)).filter { !coding.isDeclared($0) }.sorted()
    if !others.isEmpty {
      note(
        .untried,
        "no column has the fields \(others.joined(separator: ", ")). Their values are kept for a version of the app with such columns; list fields that only the server writes in ignoredFields"
      )
    }
  }

  private mutating func lookAtVersion(_ rows: [Row]) {
    guard let version = declaration.version else { return }
    if rows.contains(where: { !isDeleted($0) && $0.member(version)?.word == nil }) {
      note(.wrong, "a row has no version in the field \(version): its changes would be in conflict")
    } else {
      note(.confirmed, "each row has a version in the field \(version)")
    }
  }

  /// A flag is a Boolean, a number, or a date that is empty until the deletion.
  private mutating func lookAtFlag(_ rows: [Row]) {
    guard let flag = declaration.deletedFlag else { return }
    let values = rows.compactMap { $0.member(flag) }
    if values.isEmpty {
      note(.untried, "no row has the field \(flag), which marks deleted rows. Delete a row, and try again")
      return
    }
    let isNoFlag = values.contains { value in
      switch value {
      case .text(let text):
        !text.isEmpty && (try? DateTextCoding.decode(.text(text))) == nil
          && (try? ISO8601Coding.decode(.text(text))) == nil
      case .json: true
      default: false
      }
    }
    if isNoFlag {
      note(.wrong, "the field \(flag) is no flag: it has texts, and each text that isn't empty marks a row as deleted")
    } else if rows.allSatisfy(isDeleted) {
      note(.wrong, "the field \(flag) marks all rows as deleted")
    } else {
      note(.confirmed, "the field \(flag) marks deleted rows")
    }
  }

  // MARK: Requests

  private func request() -> HTTPRequest { HTTPRequest("GET", declaration.path, query: declaration.query) }

  /// - Throws: `CancellationError`.
  private mutating func trying(_ work: () async throws -> (HTTPFinding.Kind, String)) async throws {
    do {
      let (kind, message) = try await work()
      note(kind, message)
    } catch {
      try Task.checkCancellation()
      note(.wrong, String(describing: error))
    }
  }

  private mutating func lookAtCount() async throws {
    guard let count = declaration.count else { return }
    var request = request()
    count.prepare(&request)
    let (connection, asked) = (adapter.connection, request)
    try await trying {
      guard let told = try await connection.count(asked, count) else {
        return (.wrong, "the server doesn't answer the request for the number of rows")
      }
      return (.confirmed, "the server says that it has \(told) rows")
    }
  }

  private mutating func lookAtSince(_ rows: [Row], first: [StorageValue]) async throws {
    guard let since = declaration.since, case .field(let name, let order) = since.place, let last = rows.last,
      let value = last.member(name)?.word, let lowest = rows[0].member(name)?.word, lowest != value
    else { return }
    var key: String?
    if case .key(let field) = order { key = last.member(field)?.word }
    var request = request()
    request.query.merge(since.query(HTTPSince.Mark(value: value, key: key))) { $1 }
    if case .numbers(let parameter, let first, _) = declaration.pages { request.query[parameter] = String(first) }
    let (connection, asked, coding) = (adapter.connection, request, coding)
    try await trying {
      let keys = try await connection.read(asked) { response in
        let page = try HTTPPage(
          response, coding.declaration, asked.name, connection.options.limits, isConditional: false)
        return try page?.rows.map { try coding.change($0).key } ?? []
      }
      return keys.contains(first)
        ? (.wrong, "the server answers a request for rows after \(name) with earlier rows: it ignores the parameter")
        : (.confirmed, "the server answers a request for rows after \(name) without earlier rows")
    }
  }

  private mutating func lookAtAddress(_ rows: [(row: Row, key: [StorageValue])]) async throws {
    guard declaration.writes != nil, let (row, key) = rows.first(where: { !isDeleted($0.row) }) else { return }
    let own = HTTPVersion(stored: try coding.change(row).version).id
    guard let id = own ?? coding.id(of: key) else {
      note(.wrong, "the key of a row can't be written in an address")
      return
    }
    let request = HTTPRequest("GET", "\(declaration.path)/\(HTTPRequest.encoded(id))")
    let connection = adapter.connection
    try await trying {
      let response = try await connection.send(request)
      return response.isSuccess
        ? (.confirmed, "the address with a row's key leads to the row")
        : (.wrong, "the address with a row's key doesn't lead to the row: the server answers \(response.status)")
    }
  }
}
