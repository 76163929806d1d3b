import Foundation
import Testing

@testable import Sanderling

/// A router finds the queries that keep a row, and no other queries of the usual forms.
@Suite struct RouterTests {
  private static let id = EvaluationSpecimen.column("id")
  private static let integer = EvaluationSpecimen.column("integer")
  private static let other = EvaluationSpecimen.column("otherInteger")
  private static let text = EvaluationSpecimen.column("text")
  private static let nocase = EvaluationSpecimen.column("nocase")

  /// Returns a row with these values, and with NULL in all other columns.
  private func row(
    id: Int64 = 1, integer: StorageValue = .null, other: StorageValue = .null, text: StorageValue = .null,
    nocase: StorageValue = .null
  ) -> EvaluationRow {
    EvaluationRow(values: [.integer(id), integer, other, .null, text, .null, nocase, .null, .null])
  }

  private func isFound(_ condition: Term, bound: RouteBound? = nil, by row: EvaluationRow) throws -> Bool {
    let router = Router<Int>()
    router.insert(1, RouteSignature(condition: condition, bound: bound))
    return try !found(router, row).isEmpty
  }

  private func found(_ router: Router<Int>, _ row: EvaluationRow) throws -> [Int] {
    var found: [Int] = []
    try router.candidates(value: { try row.value(of: $0) }, { found.append($0) })
    return found.sorted()
  }

  private func integers(_ condition: Term, bound: RouteBound? = nil) throws -> [Int64] {
    try (0..<10).filter { try isFound(condition, bound: bound, by: row(integer: .integer($0))) }
  }

  private func equal(_ column: Term, _ value: Int64) -> Term { .binary(.equal, column, .constant(.integer(value))) }

  // MARK: Forms

  @Test func equalities() throws {
    #expect(try integers(equal(Self.integer, 3)) == [3])
    #expect(try integers(.binary(.is, .constant(.real(3)), Self.integer)) == [3])
    #expect(try integers(Self.integer) == [1])
    #expect(try integers(!Self.integer) == [0])
    #expect(try integers(.unary(.not, .binary(.notEqual, Self.integer, .constant(.text("3"))))) == [3])
    #expect(try !isFound(.binary(.equal, Self.integer, .constant(.null)), by: row()))
    #expect(try !isFound(equal(Self.integer, 3), by: row()))
  }

  @Test func nulls() throws {
    #expect(try isFound(.unary(.isNull, Self.integer), by: row()))
    #expect(try integers(.unary(.isNull, Self.integer)) == [])
    #expect(try isFound(.binary(.is, Self.integer, .constant(.null)), by: row()))
    #expect(try integers(.unary(.not, .unary(.isNotNull, Self.integer))) == [])
  }

  @Test func members() throws {
    #expect(try integers(.membership(Self.integer, Members([.integer(2), .real(4), .null, .text("7")]))) == [2, 4, 7])
    #expect(try integers(.membership(Self.integer, Members([.null]))) == [])
    #expect(try integers(.membership(Self.integer, Members([]))) == [])
    let many = Members((0..<50_000).map { .integer($0 * 2) })
    #expect(try integers(.membership(Self.integer, many)) == [0, 2, 4, 6, 8])
  }

  @Test func ranges() throws {
    let from3 = Term.binary(.greaterOrEqual, Self.integer, .constant(.integer(3)))
    let below6 = Term.binary(.greater, .constant(.integer(6)), Self.integer)
    #expect(try integers(from3 && below6) == [3, 4, 5])
    #expect(try integers(.unary(.not, from3 && below6)) == [0, 1, 2, 6, 7, 8, 9])
    #expect(try integers(from3 && .unary(.not, from3)) == [])
    #expect(try !isFound(below6, by: row()))
    #expect(try !isFound(.binary(.less, Self.integer, .constant(.null)), by: row(integer: .integer(0))))
  }

  @Test func disjunctions() throws {
    #expect(try integers(equal(Self.integer, 3) || equal(Self.integer, 5)) == [3, 5])
    #expect(try integers(equal(Self.integer, 3) || equal(Self.other, 5)) == [3])
    #expect(try integers(!(!equal(Self.integer, 3) && !equal(Self.other, 5))) == [3])
    // More alternatives than the limit of branches, all of one column.
    let many = (2..<60).map { equal(Self.integer, $0) }.reduce(equal(Self.integer, 1), ||)
    #expect(try integers(many) == Array(1...9))
  }

  @Test func collationsAndPrefixes() throws {
    let equal = Term.binary(.equal, Self.nocase, .constant(.text("Ab")))
    #expect(try isFound(equal, by: row(nocase: .text("aB"))))
    #expect(try !isFound(equal, by: row(nocase: .text("aBc"))))
    let binary = Term.binary(.equal, .collate(Self.nocase, .binary), .constant(.text("Ab")))
    #expect(try !isFound(binary, by: row(nocase: .text("aB"))))
    let prefix = Term.prefix(Self.text, "ca")
    #expect(try isFound(prefix, by: row(text: .text("café"))))
    #expect(try !isFound(prefix, by: row(text: .text("cb"))))
    #expect(try !isFound(prefix, by: row(text: .text("CA"))))
  }

  @Test func conditionsThatCannotBeLookedUpAreLeftOut() throws {
    let sum = Term.binary(.greater, .binary(.add, Self.integer, Self.other), .constant(.integer(0)))
    #expect(try isFound(sum, by: row()))
    #expect(try integers(sum && equal(Self.integer, 3)) == [3])
    #expect(try integers(sum || equal(Self.integer, 3)) == Array(0..<10))
    #expect(try integers(.literal(.integer(0)) || equal(Self.integer, 3)) == [3])
    #expect(try integers(.literal(.integer(0))) == [])
  }

  @Test func tooManyBranchesAreLeftOut() throws {
    let either = equal(Self.integer, 3) || equal(Self.other, 4)
    let all = (0..<10).reduce(equal(Self.id, 1)) { result, _ in result && either }
    #expect(RouteSignature(condition: all, bound: nil).branches.count <= 32)
    #expect(try isFound(all, by: row(integer: .integer(3))))
    #expect(try !isFound(all, by: row(id: 2, integer: .integer(3))))
    let lists = [Self.id, Self.integer, Self.other].map { Term.membership($0, Members((0..<999).map { .integer($0) })) }
    #expect(try isFound(lists[0] && lists[1] && lists[2], by: row(integer: .integer(5), other: .integer(998))))
  }

  // MARK: Bounds

  @Test func rowsBeyondAFullWindowAreNotFound() throws {
    let ascending = RouteBound(Ordering(term: Self.integer), value: .integer(4))
    #expect(try integers(.literal(.integer(1)), bound: ascending) == [0, 1, 2, 3, 4])
    #expect(try isFound(.literal(.integer(1)), bound: ascending, by: row()))
    let descending = RouteBound(Ordering(term: Self.integer, isDescending: true), value: .integer(4))
    #expect(try integers(.literal(.integer(1)), bound: descending) == [4, 5, 6, 7, 8, 9])
    #expect(try !isFound(.literal(.integer(1)), bound: descending, by: row()))
    let from3 = Term.binary(.greaterOrEqual, Self.integer, .constant(.integer(3)))
    #expect(try integers(from3, bound: ascending) == [3, 4])
    #expect(try integers(from3 && !Self.other, bound: ascending) == [])
  }

  @Test func boundDecidesWhereNullIsSorted() throws {
    func bound(_ isDescending: Bool, _ nulls: Ordering.Nulls?, _ value: StorageValue) -> RouteBound? {
      RouteBound(Ordering(term: Self.integer, isDescending: isDescending, nulls: nulls), value: value)
    }
    let all = Term.literal(.integer(1))
    #expect(try !isFound(all, bound: bound(false, .last, .integer(4)), by: row()))
    #expect(try isFound(all, bound: bound(true, .first, .integer(4)), by: row()))
    #expect(try integers(all, bound: bound(false, nil, .null)) == [])
    #expect(try isFound(all, bound: bound(false, nil, .null), by: row()))
    #expect(bound(false, .last, .null) == nil)
    #expect(bound(true, nil, .null) == nil)
  }

  @Test func aBoundMoves() throws {
    let router = Router<Int>()
    let ordering = Ordering(term: Self.integer)
    let signature = RouteSignature(condition: !Self.other, bound: nil)
    router.insert(1, signature)
    let seven = row(integer: .integer(7), other: .integer(0))
    #expect(try found(router, seven) == [1])
    router.update(1, bound: RouteBound(ordering, value: .integer(5)), of: signature)
    #expect(try found(router, seven) == [])
    router.update(1, bound: RouteBound(ordering, value: .integer(8)), of: signature)
    #expect(try found(router, seven) == [1])
    router.update(1, bound: nil, of: signature)
    #expect(try found(router, row(integer: .integer(99), other: .integer(0))) == [1])
    router.remove(1, signature)
    #expect(try found(router, seven) == [])
    #expect(router.routedColumns.isEmpty)
  }

  // MARK: Several queries

  @Test func aQueryIsFoundOnce() throws {
    let router = Router<Int>()
    router.insert(1, RouteSignature(condition: equal(Self.integer, 3) || Self.other || equal(Self.id, 1), bound: nil))
    router.insert(2, RouteSignature(condition: nil, bound: nil))
    #expect(try found(router, row(integer: .integer(3), other: .integer(1))) == [1, 2])
    #expect(try found(router, row(id: 2)) == [2])
    #expect(router.routedColumns.count == 3)
  }

  @Test func convertibleTextInAnIntegerColumnIsAnError() {
    let router = Router<Int>()
    let condition = Term.binary(.less, Self.integer, .constant(.integer(3)))
    router.insert(1, RouteSignature(condition: condition, bound: nil))
    #expect(throws: EvaluationError.self) { try found(router, row(integer: .text("7"))) }
    #expect(throws: Never.self) { try found(router, row(integer: .text("x"))) }
  }

  @Test func theCostDoesNotGrowWithQueriesThatCannotKeepTheRow() throws {
    func probes(_ count: Int64) throws -> Int {
      let router = Router<Int64>()
      for number in 0..<count {
        let condition: Term =
          switch number % 4 {
          case 0: equal(Self.integer, number)
          case 1: equal(Self.integer, number) && !Self.other
          case 2: .binary(.equal, Self.text, .constant(.text("\(number)")))
          default:
            .binary(.greater, Self.id, .constant(.integer(number * 10)))
              && .binary(.less, Self.id, .constant(.integer(number * 10 + 9)))
          }
        router.insert(number, RouteSignature(condition: condition, bound: nil))
      }
      let row = row(id: 5, integer: .integer(-1), other: .integer(0), text: .text("x"))
      var found = 0
      var reads = 0
      try router.candidates {
        reads += 1
        return try row.value(of: $0)
      } _: { _ in
        found += 1
      }
      #expect(found == 0)
      #expect(reads == 4)
      return router.probeCount
    }
    #expect(try probes(8) <= 10)
    #expect(try probes(10_000) < 60)
  }
}
