import Foundation

extension PredicateValue {
  /// A constant in the stored form of this value, for a comparison with it.
  func constant(_ constant: Any) throws -> PredicateValue {
    func encode<Coding: ColumnCoding>(as coding: Coding.Type) throws -> StorageValue? {
      if let value = constant as? Coding.Value { return try coding.encode(value) }
      if let type = Coding.self as? any (RawRepresentable & ColumnValue).Type {
        return try rawValue(of: type)
      }
      return try converted(constant)
    }
    // Formats compare enumerations with raw values.
    func rawValue<Value: RawRepresentable & ColumnValue>(of type: Value.Type) throws -> StorageValue? {
      guard let raw = Value.RawValue.self as? any ColumnValue.Type else { return nil }
      return try? PredicateValue(term, as: raw).constant(constant).term.constant
    }
    guard let stored = try encode(as: coding) else {
      throw PredicateObstacle("it compares \(name) with a \(Swift.type(of: constant)): pass a \(type)")
    }
    // Truth values are written into the SQL, as a field does.
    return PredicateValue(type == Bool.self && !mayBeNil ? .literal(stored) : .constant(stored), as: coding)
  }

  /// A constant in the form of its own type.
  static func constant(_ constant: Any) throws -> PredicateValue {
    func encode<Value: ColumnValue>(_ type: Value.Type) throws -> PredicateValue? {
      guard let value = constant as? Value else { return nil }
      let stored = try type.encode(value)
      return PredicateValue(type == Bool.self ? .literal(stored) : .constant(stored), as: type)
    }
    let constant = (constant as? any StringProtocol).map { String($0) } ?? constant
    guard let type = Swift.type(of: constant) as? any ColumnValue.Type, let value = try encode(type) else {
      throw PredicateObstacle("a \(Swift.type(of: constant)) is no value that a column stores")
    }
    return value
  }

  /// The stored form of a value of another type with the same meaning: a number of another width, a part of a text.
  private func converted(_ constant: Any) throws -> StorageValue? {
    switch constant {
    case let text as any StringProtocol where isText: return .text(String(text))
    case let number as any BinaryInteger where type == Bool.self:
      return Int64(exactly: number).flatMap { 0...1 ~= $0 ? .integer($0) : nil }
    case let number as any BinaryInteger where isNumeric:
      guard let integer = Int64(exactly: number) else { return nil }
      return coding.columnType == .real ? .real(Double(integer)) : .integer(integer)
    case let number as any BinaryInteger where type == Decimal.self:
      return try Int64(exactly: number).map { try Decimal.encode(Decimal($0)) }
    case let number as Double where isNumeric: return try Double.encode(number)
    case let number as Float where isNumeric: return try Float.encode(number)
    default: return nil
    }
  }
}

extension PredicateOperand {
  /// Whether a constant is NaN, which no column stores.
  var isNaN: Bool {
    switch self {
    case .constant(let value as Double): value.isNaN
    case .constant(let value as Float): value.isNaN
    case .constant(let value as Date): value.timeIntervalSinceReferenceDate.isNaN
    case .constant(let value as Decimal): value.isNaN
    default: false
    }
  }

  /// The elements of a list, or of a constant sequence; nil for other operands.
  var elements: [PredicateOperand]? {
    func elements(of sequence: some Sequence) -> [PredicateOperand] { sequence.map { .constant(flattened($0)) } }
    switch self {
    case .list(let elements): return elements
    case .constant(is any StringProtocol): return nil
    case .constant(let sequence as any Sequence): return elements(of: sequence)
    default: return nil
    }
  }
}

/// A value without the optionals around it.
func flattened(_ value: Any?) -> Any? {
  guard let value else { return nil }
  return if let optional = value as? any OptionalValue { optional.flattened } else { value }
}

private protocol OptionalValue {
  var flattened: Any? { get }
}

extension Optional: OptionalValue {
  fileprivate var flattened: Any? { flatMap { Sanderling.flattened($0) } }
}

extension Term {
  /// The value of a constant; nil for other terms.
  var constant: StorageValue? {
    switch self {
    case .constant(let value), .literal(let value): value
    default: nil
    }
  }
}
