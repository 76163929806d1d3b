/// A starter and the following scalars that may compose with it, which are put into canonical order and composed.
struct FoldCluster {
  /// Scalars with their canonical combining classes.
  private(set) var scalars: [Element] = []
  /// Whether loose marks are dropped: the starter is a bare letter, and no other scalar of class 0 follows it.
  private var losesMarks = false
  /// Whether the starter is й, whose breve stays.
  private var hasBreve = false
  /// Memory for sorting many marks.
  private var spare: [Element] = []

  typealias Element = (scalar: UInt32, combiningClass: UInt8)

  static let breve: UInt32 = 0x306
  static let cyrillicI: UInt32 = 0x438
  static let cyrillicShortI: UInt32 = 0x439

  var isEmpty: Bool { scalars.isEmpty }

  mutating func removeAll() {
    scalars.removeAll(keepingCapacity: true)
    losesMarks = false
    hasBreve = false
  }

  /// Begins a cluster with the last scalar of the fold so far, whose combining class is 0.
  mutating func begin(_ starter: UInt32, _ tables: FoldTablePointers) {
    losesMarks = tables[starter].kind == .bareLetter
    hasBreve = starter == Self.cyrillicShortI
    FoldTables.shared.decompose(starter) { scalar in
      let entry = tables[scalar]
      let isMark = entry.kind == .looseMark || entry.kind == .composing
      scalars.append((scalar, isMark ? entry.combiningClass : 0))
    }
  }

  /// Appends a mark, or a scalar that may compose.
  mutating func append(_ scalar: UInt32, _ entry: FoldEntry) {
    if losesMarks, entry.kind == .looseMark {
      guard scalar == Self.breve, scalars[0].scalar == Self.cyrillicI, !hasBreve else { return }
      hasBreve = true
    }
    if entry.combiningClass == 0 { losesMarks = false }
    scalars.append((scalar, entry.combiningClass))
  }

  /// Orders and composes the cluster by UAX #15. Takes time proportional to its size.
  mutating func end() {
    order()
    compose()
  }

  private mutating func order() {
    var start = 0
    while start < scalars.count {
      guard scalars[start].combiningClass != 0 else {
        start += 1
        continue
      }
      var end = start + 1
      var isOrdered = true
      while end < scalars.count, scalars[end].combiningClass != 0 {
        if scalars[end].combiningClass < scalars[end - 1].combiningClass { isOrdered = false }
        end += 1
      }
      if !isOrdered { order(start..<end) }
      start = end
    }
  }

  /// Sorts marks by class, and keeps the order of marks of the same class.
  private mutating func order(_ range: Range<Int>) {
    // Fewer than 16 marks are sorted by insertion.
    guard range.count >= 16 else {
      for index in range.dropFirst() {
        let element = scalars[index]
        var place = index
        while place > range.lowerBound, scalars[place - 1].combiningClass > element.combiningClass {
          scalars[place] = scalars[place - 1]
          place -= 1
        }
        scalars[place] = element
      }
      return
    }
    // More marks are sorted by counting each class, so that the time is linear even for a million marks.
    var places = [Int](repeating: 0, count: 256)
    for index in range { places[Int(scalars[index].combiningClass)] += 1 }
    var next = range.lowerBound
    for combiningClass in places.indices {
      (places[combiningClass], next) = (next, next + places[combiningClass])
    }
    spare.removeAll(keepingCapacity: true)
    spare.append(contentsOf: scalars[range])
    for element in spare {
      scalars[places[Int(element.combiningClass)]] = element
      places[Int(element.combiningClass)] += 1
    }
  }

  private mutating func compose() {
    let tables = FoldTables.shared
    var written = 0
    var starter: Int?
    /// The class of the last scalar after the starter that stayed. It blocks scalars of the same or a lower class from
    /// composing with the starter.
    var last: UInt8?
    for element in scalars {
      if let starter, last.map({ $0 < element.combiningClass }) ?? true,
        let composite = tables.composite(scalars[starter].scalar, element.scalar)
      {
        scalars[starter].scalar = composite
        continue
      }
      if element.combiningClass == 0 {
        starter = written
        last = nil
      } else {
        last = element.combiningClass
      }
      scalars[written] = element
      written += 1
    }
    scalars.removeLast(scalars.count - written)
  }
}
