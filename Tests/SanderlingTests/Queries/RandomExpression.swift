import Sanderling

/// An expression of a query, and a Swift function that computes the expected value of the expression from a row.
struct RandomExpression<Fields, Row, FieldValue: Sendable, Value> {
  let field: (Fields) -> Field<FieldValue>
  let value: (Row) -> Value

  /// Returns the same expression for other fields and rows, which contain the fields and the row of this expression.
  ///
  /// - Parameters:
  ///   - fields: Takes the fields of this expression from the other fields.
  ///   - row: Takes the row of this expression from the other row.
  func lifted<OtherFields, OtherRow>(
    _ fields: @escaping (OtherFields) -> Fields, _ row: @escaping (OtherRow) -> Row
  ) -> RandomExpression<OtherFields, OtherRow, FieldValue, Value> {
    .init(field: { self.field(fields($0)) }, value: { self.value(row($0)) })
  }
}

/// An integer or NULL.
typealias RandomNumber<Fields, Row> = RandomExpression<Fields, Row, Int?, Int?>
/// True, false, or unknown.
typealias RandomCondition<Fields, Row> = RandomExpression<Fields, Row, Bool, Bool?>

/// The fields or the row of a closure, and the fields or the row around the closure.
struct Inner<Own, Outer> {
  let own: Own
  let outer: Outer
}

// MARK: - Numbers

extension RandomExpression where FieldValue == Int?, Value == Int? {
  static func constant(_ constant: Int) -> Self {
    .init(field: { _ in .raw("\(constant)") }, value: { _ in constant })
  }

  static func calculation(_ lhs: Self, _ rhs: Self, _ op: Int) -> Self {
    func calculate(_ row: Row, _ result: (Int, Int) -> Int?) -> Int? {
      guard let lhs = lhs.value(row), let rhs = rhs.value(row) else { return nil }
      return result(lhs, rhs)
    }
    switch op {
    case 0: return .init(field: { lhs.field($0) + rhs.field($0) }, value: { calculate($0, +) })
    case 1: return .init(field: { lhs.field($0) - rhs.field($0) }, value: { calculate($0, -) })
    case 2: return .init(field: { -lhs.field($0) }, value: { lhs.value($0).map { -$0 } })
    case 3: return .init(field: { (lhs.field($0) ?? 7).optional }, value: { lhs.value($0) ?? 7 })
    case 4: return .init(field: { lhs.field($0) / rhs.field($0) }, value: { calculate($0) { $1 == 0 ? nil : $0 / $1 } })
    default:
      return .init(field: { lhs.field($0) % rhs.field($0) }, value: { calculate($0) { $1 == 0 ? nil : $0 % $1 } })
    }
  }

  /// Returns an aggregate over the rows of an association.
  static func aggregate<Child: StoredRecord>(
    _ association: @escaping (Fields) -> ToMany<Child>, _ rows: @escaping (Row) -> [Child],
    where condition: RandomCondition<Inner<Child.Fields, Fields>, Inner<Child, Row>>?,
    of number: RandomNumber<Inner<Child.Fields, Fields>, Inner<Child, Row>>, _ function: Int
  ) -> Self {
    func chosen(_ fields: Fields) -> ToMany<Child> {
      guard let condition else { return association(fields) }
      return association(fields).filter { condition.field(Inner(own: $0, outer: fields)) }
    }
    func values(_ row: Row) -> [Int?] {
      rows(row).map { Inner(own: $0, outer: row) }.filter { condition?.value($0) ?? (condition == nil) }.map(
        number.value)
    }
    func argument(_ fields: Fields) -> (Child.Fields) -> Field<Int?> {
      { number.field(Inner(own: $0, outer: fields)) }
    }
    switch function {
    case 0: return .init(field: { chosen($0).count.optional }, value: { values($0).count })
    case 1:
      return .init(
        field: { chosen($0).sum(argument($0)).optional }, value: { values($0).compactMap { $0 }.reduce(0, +) })
    case 2: return .init(field: { chosen($0).min(argument($0)) }, value: { values($0).compactMap { $0 }.min() })
    case 3: return .init(field: { chosen($0).max(argument($0)) }, value: { values($0).compactMap { $0 }.max() })
    default:
      return .init(
        field: { chosen($0).countDistinct(argument($0)).optional }, value: { Set(values($0).compactMap { $0 }).count })
    }
  }
}

// MARK: - Conditions

extension RandomExpression where FieldValue == Bool, Value == Bool? {
  static func comparison(_ lhs: RandomNumber<Fields, Row>, _ rhs: RandomNumber<Fields, Row>, _ op: Int) -> Self {
    func compare(_ row: Row, _ result: (Int, Int) -> Bool) -> Bool? {
      guard let lhs = lhs.value(row), let rhs = rhs.value(row) else { return nil }
      return result(lhs, rhs)
    }
    switch op {
    case 0: return .init(field: { lhs.field($0) == rhs.field($0) }, value: { compare($0, ==) })
    case 1: return .init(field: { lhs.field($0) != rhs.field($0) }, value: { compare($0, !=) })
    case 2: return .init(field: { lhs.field($0) < rhs.field($0) }, value: { compare($0, <) })
    case 3: return .init(field: { lhs.field($0) <= rhs.field($0) }, value: { compare($0, <=) })
    case 4: return .init(field: { lhs.field($0) > rhs.field($0) }, value: { compare($0, >) })
    case 5:
      return .init(field: { lhs.field($0).isDistinct(from: rhs.field($0)) }, value: { lhs.value($0) != rhs.value($0) })
    case 6: return .init(field: { lhs.field($0) == nil }, value: { lhs.value($0) == nil })
    default: return .init(field: { lhs.field($0) >= rhs.field($0) }, value: { compare($0, >=) })
    }
  }

  static func membership(_ number: RandomNumber<Fields, Row>, _ members: [Int?]) -> Self {
    .init(field: { number.field($0).in(members) }) { row in
      guard let value = number.value(row) else { return members.contains(nil) ? true : members.isEmpty ? false : nil }
      return members.contains(value)
    }
  }

  static func && (lhs: Self, rhs: Self) -> Self {
    .init(field: { lhs.field($0) && rhs.field($0) }) { row in
      let (lhs, rhs) = (lhs.value(row), rhs.value(row))
      return lhs == false || rhs == false ? false : lhs == nil || rhs == nil ? nil : true
    }
  }

  static func || (lhs: Self, rhs: Self) -> Self {
    !(!lhs && !rhs)
  }

  static prefix func ! (condition: Self) -> Self {
    .init(field: { !condition.field($0) }, value: { condition.value($0).map { !$0 } })
  }

  /// Returns a condition on the rows of an association.
  static func quantified<Child: StoredRecord>(
    _ association: @escaping (Fields) -> ToMany<Child>, _ rows: @escaping (Row) -> [Child],
    _ condition: RandomCondition<Inner<Child.Fields, Fields>, Inner<Child, Row>>, _ quantifier: Int
  ) -> Self {
    func values(_ row: Row) -> [Bool?] { rows(row).map { condition.value(Inner(own: $0, outer: row)) } }
    func inner(_ fields: Fields) -> (Child.Fields) -> Field<Bool> { { condition.field(Inner(own: $0, outer: fields)) } }
    switch quantifier {
    case 0: return .init(field: { association($0).contains(inner($0)) }, value: { values($0).contains(true) })
    case 1: return .init(field: { association($0).allSatisfy(inner($0)) }, value: { !values($0).contains(false) })
    default:
      return .init(field: { association($0).filter(inner($0)).isEmpty }, value: { !values($0).contains(true) })
    }
  }
}
