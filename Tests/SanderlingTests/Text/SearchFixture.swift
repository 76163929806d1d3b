import Foundation

@testable import Sanderling

/// The texts and queries of `Fixtures/search.txt`.
struct SearchFixture {
  private(set) var texts: [(id: Int, text: String)] = []
  private(set) var queries: [Query] = []

  struct Query {
    let line: Int
    let kind: SearchKind
    let input: String
    let ids: Set<Int>
  }

  struct FormatError: Error, CustomStringConvertible {
    let description: String
  }

  init() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/search.txt")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
    let fields = lines.map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
    for fields in fields where fields[0] == "t" {
      guard fields.count == 3, let id = Int(fields[1]) else { throw FormatError(description: "\(fields)") }
      texts.append((id, Self.unescaped(fields[2])))
    }
    let all = Set(texts.map(\.id))
    for (index, fields) in fields.enumerated() where fields.count == 3 && fields[0] != "t" {
      let kind: SearchKind
      switch fields[0] {
      case "w": kind = .words
      case "s": kind = .substrings
      case "p": kind = .prefix
      default: throw FormatError(description: "Line \(index + 1): \(fields)")
      }
      let ids = fields[2] == "*" ? all : Set(fields[2].split(separator: ",").compactMap { Int($0) })
      guard ids.isSubset(of: all) else {
        throw FormatError(description: "Line \(index + 1) names a text that isn't there.")
      }
      queries.append(Query(line: index + 1, kind: kind, input: Self.unescaped(fields[1]), ids: ids))
    }
  }

  /// Replaces \u{…} by the character.
  private static func unescaped(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var rest = Substring(text).unicodeScalars
    while let first = rest.first {
      if rest.starts(with: "\\u{".unicodeScalars), let end = rest.firstIndex(of: "}"),
        let scalar = UInt32(String(rest[rest.index(rest.startIndex, offsetBy: 3)..<end]), radix: 16).flatMap(
          Unicode.Scalar.init)
      {
        result.append(scalar)
        rest = rest[rest.index(after: end)...]
      } else {
        result.append(first)
        rest = rest.dropFirst()
      }
    }
    return String(result)
  }
}
