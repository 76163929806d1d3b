import Foundation
import Testing

@testable import SanderlingDiagnosis

@Suite struct SQLFuzzTests {
  /// Reads a text with every reader of SQL.
  private static func read(_ sql: String) {
    _ = Fingerprint.of(sql)
    _ = StatementSplitter.split(sql)
    _ = StatementFilter.verdict(on: sql)
    guard let shape = try? ShapeReader.shape(of: sql, in: QueryShapeTests.schema) else { return }
    _ = shape.selectsWithViews.count
  }

  @Test func survivesCutAndMixedStatements() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    for round in 0..<3000 {
      var bytes = Array(SQLParserTests.statements.randomElement(using: &random)!.utf8)
      let other = Array(SQLParserTests.statements.randomElement(using: &random)!.utf8)
      switch round % 4 {
      case 0: bytes = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
      case 1: bytes.removeSubrange(Int.random(in: 0..<bytes.count, using: &random)...)
      case 2: bytes.insert(contentsOf: other, at: Int.random(in: 0...bytes.count, using: &random))
      default:
        for _ in 0..<3 {
          bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
      }
      Self.read(String(decoding: bytes, as: UTF8.self))
    }
    for _ in 0..<2000 { Self.read(SQLFragments.random(using: &random)) }
  }

  /// Statements with constructs nested to this depth.
  private static func nested(_ depth: Int) -> [String] {
    [
      ("(", ")"), ("(SELECT ", ")"), ("- ", ""), ("a || ", ""), ("EXISTS (SELECT 1 FROM t WHERE ", ")"),
      ("a IN (SELECT 1 FROM (SELECT 1 WHERE ", "))"), ("CASE WHEN ", " THEN 1 END"), ("NOT ", ""), ("abs(", ")"),
    ].map { opening, closing in
      "SELECT a FROM task t WHERE " + String(repeating: opening, count: depth) + "a"
        + String(repeating: closing, count: depth)
    }
  }

  /// Nested statements are read within the small stack of a thread, as on Apple's platforms.
  @Test func nestsWithinASmallStack() async {
    let shapes = await withCheckedContinuation { continuation in
      let thread = Thread {
        for depth in [20, 40, 80, 160, 199, 250] { Self.nested(depth).forEach(Self.read) }
        let shallow = Self.nested(4) + Self.nested(8)
        let shapes = shallow.count { (try? ShapeReader.shape(of: $0, in: QueryShapeTests.schema)) != nil }
        continuation.resume(returning: shapes)
      }
      thread.stackSize = 512 << 10
      thread.start()
    }
    #expect(shapes == 18)
  }

  @Test func longStatementsAreRead() {
    let terms = (0..<1_500).map { "a = \($0) AND t.b > lower(\($0))" }.joined(separator: " OR ")
    Self.read("SELECT a FROM task t WHERE " + terms)
    Self.read(
      "SELECT " + Array(repeating: "(SELECT due FROM task WHERE id = t.id)", count: 800).joined(separator: ", ")
        + " FROM task t")
    Self.read("SELECT a AS b, " + Array(repeating: "b", count: 10_000).joined(separator: " , ") + " FROM u ORDER BY b")
    Self.read(Array(repeating: "SELECT 1 AS a", count: 2_000).joined(separator: " UNION ALL "))
    Self.read(String(repeating: "VALUES (", count: 10_000))
    Self.read("INSERT INTO t VALUES " + Array(repeating: "(1, x)", count: 10_000).joined(separator: ","))
  }
}
