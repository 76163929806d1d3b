/// A column whose values the store derives from texts, and which says where they wait for that.
struct DerivedColumn: Hashable, Sendable {
  let name: String
  /// What stands in it until then, as SQL.
  let pendingSQL: String

  /// The statement that has all values of a table derived anew.
  func pendingStatement(in table: String) -> String {
    let name = name.quotedIdentifier
    return "UPDATE \(table.quotedIdentifier) SET \(name) = \(pendingSQL) WHERE \(name) IS NOT \(pendingSQL)"
  }
}
