/// The identity of a row in a live list, the same in all snapshots: its primary key.
///
/// Rows of different tables may have equal identities.
public struct RowID: Hashable, Sendable {
  let key: RowKey
}

extension RowID: CustomStringConvertible {
  /// The values of the key as SQL literals.
  public var description: String {
    let literals = key.values.map(\.literal)
    return literals.count == 1 ? literals[0] : "(\(literals.joined(separator: ", ")))"
  }
}
