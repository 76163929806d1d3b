/// Elements in order, of which there is mostly one: a single one needs no memory of its own, as that of an array does.
///
/// Everything costs what it costs with an array.
struct FewElements<Element> {
  fileprivate enum Storage {
    case one(Element)
    case many([Element])
  }

  private var storage: Storage

  init(_ elements: [Element]) {
    storage = elements.count == 1 ? .one(elements[0]) : .many(elements)
  }

  /// Changes all of them as an array, in place if there are several.
  private mutating func withArray<Result>(_ body: (inout [Element]) -> Result) -> Result {
    var elements: [Element]
    switch storage {
    case .one(let element): elements = [element]
    case .many(let all): elements = all
    }
    // The array has one owner while it changes.
    storage = .many([])
    defer { self = FewElements(elements) }
    return body(&elements)
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
      var elements: [Element]
      switch storage {
      case .one(let element): elements = [element]
      case .many(let all): elements = all
      }
      storage = .many([])
      defer { self = FewElements(elements) }
      yield &elements[position]
    }
  }

  mutating func replaceSubrange(_ range: Range<Int>, with elements: some Collection<Element>) {
    withArray { $0.replaceSubrange(range, with: elements) }
  }

  mutating func append(_ element: Element) {
    withArray { $0.append(element) }
  }
}

extension FewElements.Storage: Sendable where Element: Sendable {}
extension FewElements: Sendable where Element: Sendable {}
