/// A value as SQLite stores and binds it.
public enum BoundValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}
