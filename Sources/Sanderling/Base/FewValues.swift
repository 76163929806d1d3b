/// A dictionary for a few values, usually one. The first value needs no memory of its own, unlike the value of a
/// dictionary.
struct FewValues<Key: Hashable, Value> {
  private(set) var first: (key: Key, value: Value)?
  /// The other values; empty if there is no first value.
  private var others: [Key: Value] = [:]

  var isEmpty: Bool { first == nil }

  var keys: some Sequence<Key> { lazy.map { $0.key } }
  var values: some Sequence<Value> { lazy.map { $0.value } }

  subscript(key: Key) -> Value? {
    get { first?.key == key ? first?.value : others[key] }
    set {
      guard let newValue else {
        removeValue(forKey: key)
        return
      }
      if first == nil || first?.key == key { first = (key, newValue) } else { others[key] = newValue }
    }
  }

  @discardableResult
  mutating func removeValue(forKey key: Key) -> Value? {
    guard let known = first, known.key == key else { return others.removeValue(forKey: key) }
    first = others.popFirst().map { ($0.key, $0.value) }
    return known.value
  }
}

extension FewValues: Sequence {
  struct Iterator: IteratorProtocol {
    fileprivate var first: (key: Key, value: Value)?
    fileprivate var others: [Key: Value].Iterator

    mutating func next() -> (key: Key, value: Value)? {
      if let first = first.take() { return first }
      return others.next().map { ($0.key, $0.value) }
    }
  }

  func makeIterator() -> Iterator {
    Iterator(first: first, others: others.makeIterator())
  }
}

extension FewValues: Sendable where Key: Sendable, Value: Sendable {}
