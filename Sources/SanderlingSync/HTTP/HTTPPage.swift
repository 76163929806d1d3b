import Foundation
import Sanderling

/// One answer with rows.
struct HTTPPage: Sendable {
  let rows: [[String: ForeignValue]]
  private let members: [String: ForeignValue]
  private let response: HTTPResponse
  /// The page that follows, according to the answer.
  private let following: Following

  private enum Following: Hashable {
    case page(String)
    case last
    case unsaid
  }

  /// - Parameter isConditional: Whether the request asked for changes only.
  /// - Returns: Nil if the server answers 304 to such a request.
  init?(
    _ response: HTTPResponse, _ declaration: HTTPRecord, _ path: String, _ limits: HTTPLimits, isConditional: Bool
  ) throws {
    if response.status == 304, isConditional { return nil }
    // A row missing from an answer may count as deleted, so a partial answer is accepted only if there are pages.
    guard [200, 203].contains(response.status) || response.status == 206 && declaration.pages != .single else {
      throw HTTPError.malformed(
        path: path, reason: "it has the status \(response.status), and an answer with rows must have 200")
    }
    var bare = response
    bare.body = []
    self.response = bare
    do {
      var reader = JSONReader(response.json, depthLimit: limits.depth)
      let (rows, members) = try reader.page(rowsIn: declaration.rows, limit: limits.rows)
      guard let rows else {
        throw HTTPError.malformed(path: path, reason: "it has no member \(declaration.rows ?? "")")
      }
      (self.rows, self.members) = (rows, members)
    } catch let error as JSONSyntaxError {
      throw HTTPError.malformed(path: path, reason: "\(error.reason), at byte \(error.offset)")
    }
    try Self.lookForVersion(rows, declaration, path)
    following = try Self.following(response, members, declaration, path)
  }

  /// An empty page for the answer that there is no page after the last page.
  init(after response: HTTPResponse) {
    (rows, members, self.response, following) = ([], [:], response, .last)
  }

  /// Throws if the declared version is in no row. Without versions, each change would be in conflict for ever.
  private static func lookForVersion(_ rows: [[String: ForeignValue]], _ declaration: HTTPRecord, _ path: String) throws
  {
    guard let version = declaration.version else { return }
    let present = rows.lazy.filter { row in declaration.deletedFlag.flatMap { row.member($0)?.isTrue } != true }
    if let first = present.first, first.member(version) == nil, present.allSatisfy({ $0.member(version) == nil }) {
      throw HTTPError.malformed(
        path: path, reason: "no row has the field \(version), which is declared as the version")
    }
  }

  private static func following(
    _ response: HTTPResponse, _ members: [String: ForeignValue], _ declaration: HTTPRecord, _ path: String
  ) throws -> Following {
    switch declaration.pages {
    case .single:
      if response.header("Link").flatMap(link) != nil {
        throw HTTPError.malformed(
          path: path, reason: "the header Link names a next page, and the record is declared to have a single page")
      }
      if let name = HTTPNextMember.name(in: members, declaration) {
        throw HTTPError.malformed(
          path: path,
          reason:
            "the member \(name) says that another page follows, and the record is declared to have a single page. Nothing is stored, since a part of "
            + "the rows would count as all rows"
        )
      }
      return .last
    case .whileHeader(let name): return response.header(name) == nil ? .unsaid : .page("")
    case .linkHeader(let name, _):
      return response.header(name).flatMap(link).map { .page($0) } ?? .unsaid
    case .linkMember(let name, _), .token(let name, _, _):
      guard let value = members.member(name) else { return .unsaid }
      return value.word.flatMap { $0.isEmpty ? nil : .page($0) } ?? .last
    case .afterLastRow, .numbers: return .unsaid
    }
  }

  var date: Date? { response.date }

  /// The cursor in the declared header or member.
  func cursor(_ declaration: HTTPRecord) -> String? {
    switch declaration.since?.place {
    case .header(let name)?: response.header(name)
    case .member(let name)?: members.member(name)?.word
    case .field?, nil: nil
    }
  }

  var tag: String? { response.header("ETag") }

  /// The number inside an ETag.
  static func number(_ tag: String) -> Int64? { Int64(tag.filter { $0 != "\"" }) }

  /// The address in a header: the whole value, or the `next` link of `Link`.
  private static func link(_ header: String) -> String? {
    guard header.contains("<") else { return header.contains("rel=") ? nil : header }
    for part in header.split(separator: ",") where part.contains("rel=\"next\"") || part.contains("rel=next") {
      return part.split(separator: "<").last?.split(separator: ">").first.map(String.init)
    }
    return nil
  }

  /// Moves a position past the page.
  ///
  /// - Parameters:
  ///   - largest: The number of rows of the list's largest page.
  ///   - isRepeated: Whether the rows equal those of the previous page.
  func move(
    _ position: inout HTTPCursor.Position, _ declaration: HTTPRecord, _ path: String, largest: Int, isRepeated: Bool
  ) throws -> Next {
    var isProven = true
    if case .page = following { position.seenNext = declaration.pages.next }
    if following == .last, declaration.pages.next != nil { position.saysLast = true }
    var (isMore, next, goesOnAtRow) = (false, String?.none, false)
    switch declaration.pages {
    case .single: break
    case .afterLastRow: (isMore, goesOnAtRow) = (!rows.isEmpty, true)
    case .whileHeader:
      isMore = !rows.isEmpty && (following != .unsaid || position.seenNext != declaration.pages.next)
      goesOnAtRow = true
    case .linkHeader, .linkMember, .token:
      if case .page(let page) = following { (isMore, next) = (true, page) }
      if following == .unsaid { isProven = try isProvenLast(position, declaration, path) }
    case .numbers(_, let first, _):
      isMore = !rows.isEmpty && !isRepeated && following != .last
      next = isMore ? String((position.page.flatMap { Int($0) } ?? first) + 1) : nil
    }
    let before = position
    switch declaration.since?.place {
    case nil: break
    case .header?, .member?: position.until = position.until ?? cursor(declaration)
    case .field(let name, let order)?:
      let isFull = declaration.pages.size.map { rows.count >= $0 } ?? false
      // The server may have cut off a page with as many rows as the longest page.
      let isCut = isFull || following != .unsaid || (largest > 1 && rows.count >= largest)
      let mustMove = isMore && goesOnAtRow && isCut
      if let mark = try mark(name, order, isMore: mustMove, path) {
        if goesOnAtRow {
          (position.since, position.key) = (mark.value, mark.key)
        } else {
          (position.until, position.untilKey) = (mark.value, mark.key)
        }
      }
      // All remaining rows have the same value, and each request would read them again.
      let isOfOneValue = order == .repeated && goesOnAtRow && !mustMove
      // If the server treats its parameter as inclusive, it repeats the last row and nothing more.
      let isLastRowAgain = rows.count == 1 && goesOnAtRow && !mustMove
      if isOfOneValue || isLastRowAgain, (position.since, position.key) == (before.since, before.key) { isMore = false }
    }
    position.page = next
    if isMore { return .more }
    try end(&position, declaration, path)
    return isProven ? .last : .lastByCount
  }

  /// The page after this one.
  enum Next {
    /// Another page follows or may follow.
    case more
    case last
    /// No page follows, unless the server's number of rows says that rows are missing.
    case lastByCount
  }

  /// Whether another page certainly follows: the server says so, or the page is full.
  func isLong(_ pages: HTTPPages) -> Bool {
    if case .page = following { true } else { pages.size.map { rows.count >= $0 } ?? false }
  }

  /// Whether an answer without the declared member or header is proven to be the last page. Otherwise
  /// ``HTTPRecord/count`` decides.
  ///
  /// - Throws: If the declaration has no count and the page may be one of many: the declaration may name the wrong
  ///   member or header.
  private func isProvenLast(
    _ position: HTTPCursor.Position, _ declaration: HTTPRecord, _ path: String
  ) throws -> Bool {
    guard let name = declaration.pages.next else { return true }
    let hasSeen = position.seenNext == name && position.saysLast != true
    if declaration.pages.isOmittedAtEnd || hasSeen || rows.isEmpty { return true }
    if declaration.count != nil { return false }
    throw Self.unproven(declaration.pages, path)
  }

  /// The error for an answer without the member or header that leads to the next page.
  private static func unproven(_ pages: HTTPPages, _ path: String) -> HTTPError {
    let kind = if case .linkHeader = pages { "header" } else { "member" }
    return .malformed(
      path: path,
      reason:
        "it lacks the \(kind) \(pages.next ?? ""), which is declared to lead to the next page, so that the end of the pages is unknown. If the "
        + "server leaves it out on the last page, declare that (isOmittedAtEnd), or the place of the number of rows (HTTPRecord.count)"
    )
  }

  private func end(_ position: inout HTTPCursor.Position, _ declaration: HTTPRecord, _ path: String) throws {
    switch declaration.since?.place {
    case .header(let name)? where position.until == nil && position.since == nil && !rows.isEmpty,
      .member(let name)? where position.until == nil && position.since == nil && !rows.isEmpty:
      throw HTTPError.malformed(
        path: path, reason: "it lacks \(name), which is declared to hold the start of the next pull")
    default: break
    }
    if let until = position.until { (position.since, position.key) = (until, position.untilKey) }
    (position.until, position.untilKey, position.begin, position.beginKey) = (nil, nil, nil, nil)
    // Rows that become visible late don't change the tag.
    let isExact = declaration.since.map { $0.overlap <= .zero } == true
    position.tag = declaration.hasCollectionTag && isExact ? tag : nil
  }

  /// The mark after the last row, before which no row is missing.
  private func mark(_ name: String, _ order: HTTPSince.Order, isMore: Bool, _ path: String) throws -> HTTPSince.Mark? {
    guard let last = rows.last else { return nil }
    func value(_ row: [String: ForeignValue], _ name: String) throws -> String {
      guard let word = row.member(name)?.word else {
        throw HTTPError.malformed(path: path, reason: "a row has no field \(name), which orders the rows")
      }
      return word
    }
    let greatest = try value(last, name)
    switch order {
    case .unique: return HTTPSince.Mark(value: greatest, key: nil)
    case .key(let key): return HTTPSince.Mark(value: greatest, key: try value(last, key))
    case .repeated:
      // Rows of later pages may have the same value as the last row.
      for row in rows.reversed() {
        let earlier = try value(row, name)
        if earlier != greatest { return HTTPSince.Mark(value: earlier, key: nil) }
      }
      if isMore {
        throw HTTPError.malformed(
          path: path, reason: "all rows of a page have the same value of \(name). Ask for larger pages, or name a key")
      }
      return nil
    }
  }
}

extension HTTPPages {
  /// The member or header that leads to the next page.
  var next: String? {
    switch self {
    case .whileHeader(let name), .linkHeader(let name, _), .linkMember(let name, _), .token(let name, _, _): name
    case .single, .afterLastRow, .numbers: nil
    }
  }

  fileprivate var isOmittedAtEnd: Bool {
    switch self {
    case .linkHeader(_, let isOmitted), .linkMember(_, let isOmitted), .token(_, _, let isOmitted): isOmitted
    case .single, .afterLastRow, .whileHeader, .numbers: false
    }
  }

  /// The requested number of rows in a page; nil if the declaration has none.
  fileprivate var size: Int? {
    switch self {
    case .afterLastRow(let size), .numbers(_, _, let size): size
    default: nil
    }
  }
}
