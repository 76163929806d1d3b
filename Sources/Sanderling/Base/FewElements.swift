/// A random-access collection for a few elements, usually one. A single element needs no memory of its own, unlike the
/// element of an array.
///
/// All operations cost as much as those of an array.
struct FewElements<Element> {
  fileprivate enum Storage {
    case one(Element)
    case many([Element])
  }

  private var storage: Storage

  init(_ elements: [Element]) {
    storage = elements.count == 1 ? .one(elements[0]) : .many(elements)
  }

  /// Removes and returns all elements as an array. The array has one owner while it changes, so that it isn't copied.
  private mutating func takeArray() -> [Element] {
    defer { storage = .many([]) }
    switch storage {
    case .one(let element): return [element]
    case .many(let elements): return elements
    }
  }
}

extension FewElements: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
  init() {
    storage = .many([])
  }

  var startIndex: Int { 0 }

  var endIndex: Int {
    switch storage {
    case .one: 1
    case .many(let elements): elements.count
    }
  }

  subscript(position: Int) -> Element {
    get {
      switch storage {
      case .one(let element):
        precondition(position == 0, "there is one element")
        return element
      case .many(let elements): return elements[position]
      }
    }
    _modify {
      var elements = takeArray()
      defer { self = FewElements(elements) }
      yield &elements[position]
    }
  }

  mutating func replaceSubrange(_ range: Range<Int>, with elements: some Collection<Element>) {
    var all = takeArray()
    all.replaceSubrange(range, with: elements)
    self = FewElements(all)
  }

  mutating func append(_ element: Element) {
    var all = takeArray()
    all.append(element)
    self = FewElements(all)
  }
}

extension FewElements.Storage: Sendable where Element: Sendable {}
extension FewElements: Sendable where Element: Sendable {}
