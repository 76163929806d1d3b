import Foundation
import Testing

@testable import Sanderling

/// A predicate without equivalent in SQL throws an error that names the part.
@Suite struct PredicateObstacleTests {
  func expectInvalid(
    _ query: Selection<Chore, Chore>, _ reason: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(throws: StoreError.invalidQuery(reason), sourceLocation: sourceLocation) { try query.sql }
  }

  func expectInvalid(
    _ predicate: Predicate<Chore>, _ reason: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    expectInvalid(
      Chore.where(predicate), "the predicate can't be translated to SQL: \(reason)", sourceLocation: sourceLocation)
  }

  @Test func expressions() {
    expectInvalid(
      Predicate { PredicateExpressions.TypeCheck<PredicateExpressions.Variable<Chore>, Int>($0) },
      "it uses is, which has no equivalent: fetch the rows, and filter them in Swift")
    expectInvalid(
      #Predicate { $0.steps.first?.isDone == true },
      "SQL can't read \\Array<Step>.(a calculated Optional<Step>) of rows of Step")
    expectInvalid(
      #Predicate { $0.title.allSatisfy { $0.isLetter } },
      "it calls allSatisfy(_:) on Chore.title: SQL visits only the rows of associations and captured sequences")
  }

  @Test func properties() {
    expectInvalid(
      #Predicate { $0.undeclared },
      "\\Chore.(a calculated Bool) is no column of Chore: declare its field with PredicateProperty in Chore.predicateProperties"
    )
    expectInvalid(
      #Predicate { $0.code.uuidString == "x" },
      "Chore.code is one value in SQL, and \\UUID.(a calculated String) is a part of it: compare the whole value")
    expectInvalid(
      #Predicate { $0.level.weight == 2 },
      "Chore.level is one value in SQL, and \\Level.(a calculated Int) is a part of it: compare the whole value")
  }

  @Test func forms() {
    expectInvalid(
      #Predicate { $0.price > 2 },
      "Chore.price is a Decimal, and its stored form doesn't sort by value: store a number or a text that does")
    expectInvalid(#Predicate { $0.price + 1 == 2 }, "SQL can't calculate with Chore.price, a Decimal")
    expectInvalid(
      #Predicate { $0.due! == $0.made },
      "it compares Chore.due with Chore.made, whose values are stored in another form: compare each with a value, or store both in one form"
    )
  }

  @Test func descriptors() {
    expectInvalid(
      Chore.order(SortDescriptor(\.price)),
      "the sort descriptor can't be translated to SQL: Chore.price is a Decimal, and its stored form doesn't sort by value: store a number or a text that does"
    )
    expectInvalid(
      Chore.order(SortDescriptor(\.house?.rooms)),
      "the sort descriptor can't be translated to SQL: \\Chore.(a calculated Optional<House>)?.rooms? is no column of Chore: declare its field with PredicateProperty in Chore.predicateProperties"
    )
  }

  /// A predicate with thousands of parts is refused or translated, and never exhausts the stack.
  @Test func longPredicates() throws {
    func joined(_ count: Int) -> Predicate<Chore> {
      Predicate<Chore> { chore in
        (0..<count).reduce(PredicateExpressions.Value(false) as any StandardPredicateExpression<Bool>) { all, number in
          func or(_ all: some StandardPredicateExpression<Bool>) -> any StandardPredicateExpression<Bool> {
            Erased(
              PredicateExpressions.build_Disjunction(
                lhs: Erased(all),
                rhs: PredicateExpressions.build_Equal(
                  lhs: PredicateExpressions.build_KeyPath(root: chore, keyPath: \.size),
                  rhs: PredicateExpressions.build_Arg(number))))
          }
          return or(all)
        }
      }
    }
    let query = Chore.where(joined(200))
    #expect(try query.sql.arguments.count == 200)
  }
}

extension Chore {
  fileprivate var undeclared: Bool { false }
}

extension Level {
  fileprivate var weight: Int { 2 }
}
