import Synchronization

/// The members of `x IN (…)`, found by SQL's equality: 1 finds 1.0, and 'A' finds 'a' under NOCASE.
///
/// The first search takes O(members), every other O(1).
final class MemberSet: Sendable {
  private let members: Members
  private let rule: ComparisonRule
  /// Guards the members in a form in which equal members are identical. The first search makes them, and they don't
  /// change afterwards.
  private let keys = Lock<Keys?>(nil)

  private struct Keys {
    var values: Set<StorageValue> = []
    var containsNull = false
  }

  init(_ members: Members, rule: ComparisonRule) {
    self.members = members
    self.rule = rule
  }

  /// Whether the value is a member. Unknown (nil) if the value is NULL, or is no member while a NULL is among the
  /// members.
  ///
  /// See [The IN operator](https://www.sqlite.org/lang_expr.html#the_in_and_not_in_operators). An empty set contains no
  /// value, not even NULL.
  func contains(_ value: StorageValue) throws -> Bool? {
    if members.values.isEmpty { return false }
    if value.isNull { return nil }
    let key = try key(of: value)
    let keys = try preparedKeys()
    return keys.values.contains(key) ? true : keys.containsNull ? nil : false
  }

  private func preparedKeys() throws -> Keys {
    try keys.withLock { prepared in
      if let prepared { return prepared }
      var keys = Keys()
      keys.values.reserveCapacity(members.values.count)
      for member in members.values {
        if member.isNull {
          keys.containsNull = true
        } else {
          keys.values.insert(try key(of: member))
        }
      }
      prepared = keys
      return keys
    }
  }

  private func key(of value: StorageValue) throws -> StorageValue {
    SQLiteComparison.equalityKey(try rule.converted(value), collation: rule.collation)
  }
}
