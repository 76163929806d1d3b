import SanderlingDiagnosis

/// A value of a parameter with which a statement of the corpus runs.
enum CorpusValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)

  var bound: BoundValue {
    switch self {
    case .null: .null
    case .integer(let value): .integer(value)
    case .real(let value): .real(value)
    case .text(let value): .text(value)
    }
  }
}

extension CorpusValue: ExpressibleByIntegerLiteral {
  init(integerLiteral value: Int64) { self = .integer(value) }
}

extension CorpusValue: ExpressibleByFloatLiteral {
  init(floatLiteral value: Double) { self = .real(value) }
}

extension CorpusValue: ExpressibleByStringLiteral {
  init(stringLiteral value: String) { self = .text(value) }
}

extension CorpusValue: ExpressibleByNilLiteral {
  init(nilLiteral: ()) { self = .null }
}
