/// What makes two live queries the same.
struct LiveQueryKey: Hashable, Sendable {
  enum Source: Hashable, Sendable {
    case statement(SelectStatement)
    case raw([RawFragment])
  }

  enum Kind: Hashable, Sendable {
    case rows, count, summary
  }

  let kind: Kind
  let source: Source
  /// The type of what is read, which is nothing for counts.
  let output: ObjectIdentifier?
}
