import Foundation
import Sanderling

/// One answer with rows.
struct HTTPPage: Sendable {
  let rows: [[String: ForeignValue]]
  private let members: [String: ForeignValue]
  private let response: HTTPResponse
  /// Where the next page is, below the server's address.
  private let link: String?

  /// - Parameter isConditional: Whether it was asked for what changed only.
  /// - Returns: nil for 304, where it was.
  init?(
    _ response: HTTPResponse, _ declaration: HTTPRecord, _ path: String, _ limits: HTTPLimits, isConditional: Bool
  ) throws {
    if response.status == 304, isConditional { return nil }
    // What isn't told of may be taken for deleted. Parts are told of where there are pages.
    guard [200, 203].contains(response.status) || response.status == 206 && declaration.pages != .single else {
      throw HTTPError.malformed(path: path, reason: "it has the status \(response.status), and rows come with 200")
    }
    var bare = response
    bare.body = []
    self.response = bare
    do {
      var reader = JSONReader(response.json, depthLimit: limits.depth)
      let (rows, members) = try reader.page(rowsIn: declaration.rows, limit: limits.rows)
      guard let rows else {
        throw HTTPError.malformed(path: path, reason: "there is no member \(declaration.rows ?? "")")
      }
      (self.rows, self.members) = (rows, members)
    } catch let error as JSONSyntaxError {
      throw HTTPError.malformed(path: path, reason: "\(error.reason), at byte \(error.offset)")
    }
    link =
      switch declaration.pages {
      case .linkHeader(let name): response.header(name).flatMap(Self.link)
      case .linkMember(let name): members[name]?.word
      default: nil
      }
  }

  var date: Date? { response.date }
  var tag: String? { response.header("ETag") }

  /// The number that an ETag is.
  static func number(_ tag: String) -> Int64? { Int64(tag.filter { $0 != "\"" }) }

  /// The address of a header: itself, or that of `Link` which is the next.
  private static func link(_ header: String) -> String? {
    guard header.contains("<") else { return header }
    for part in header.split(separator: ",") where part.contains("rel=\"next\"") || part.contains("rel=next") {
      return part.split(separator: "<").last?.split(separator: ">").first.map(String.init)
    }
    return nil
  }

  /// Moves a position behind the page.
  ///
  /// - Returns: Whether another one follows.
  func move(_ position: inout HTTPCursor.Position, _ declaration: HTTPRecord, _ path: String) throws -> Bool {
    let isMore: Bool
    var next: String?
    var goesOnAtRow = false
    switch declaration.pages {
    case .single: isMore = false
    case .afterLastRow(let size): (isMore, goesOnAtRow) = (rows.count >= size, true)
    case .whileHeader(let name):
      (isMore, goesOnAtRow) = (response.header(name) != nil && !rows.isEmpty, true)
    case .linkHeader, .linkMember: (next, isMore) = (link, link != nil)
    case .token(let member, _):
      next = members[member]?.word.flatMap { $0.isEmpty ? nil : $0 }
      isMore = next != nil
    case .numbers(_, let first, let size):
      isMore = rows.count >= size
      next = isMore ? String((position.page.flatMap { Int($0) } ?? first) + 1) : nil
    }
    switch declaration.since?.place {
    case nil: break
    case .header(let name)?: position.until = position.until ?? response.header(name)
    case .member(let name)?: position.until = position.until ?? members[name]?.word
    case .field(let name, let order)?:
      let mark = try mark(name, order, isMore: isMore && goesOnAtRow, path)
      if let mark, goesOnAtRow || !isMore { (position.since, position.key) = (mark.value, mark.key) }
    }
    position.page = next
    if !isMore {
      position.since = position.until ?? position.since
      position.until = nil
      // What is written late leaves the tag as it was.
      let isExact = declaration.since.map { $0.overlap <= .zero } == true
      position.tag = declaration.hasCollectionTag && isExact ? tag : nil
    }
    return isMore
  }

  /// The mark behind the last row, before which no row is missing.
  private func mark(_ name: String, _ order: HTTPSince.Order, isMore: Bool, _ path: String) throws -> HTTPSince.Mark? {
    guard let last = rows.last else { return nil }
    func value(_ row: [String: ForeignValue], _ name: String) throws -> String {
      guard let word = row[name]?.word else {
        throw HTTPError.malformed(path: path, reason: "a row has no field \(name), by which rows are in order")
      }
      return word
    }
    let greatest = try value(last, name)
    switch order {
    case .unique: return HTTPSince.Mark(value: greatest, key: nil)
    case .key(let key): return HTTPSince.Mark(value: greatest, key: try value(last, key))
    case .repeated:
      // Others may have the last one's value, on the next page or later.
      for row in rows.reversed() {
        let earlier = try value(row, name)
        if earlier != greatest { return HTTPSince.Mark(value: earlier, key: nil) }
      }
      if isMore {
        throw HTTPError.malformed(
          path: path, reason: "all rows of a page have one value of \(name). Ask for larger pages, or name a key")
      }
      return nil
    }
  }
}
