@testable import Sanderling

typealias TestRow = LiveRow<String>

extension LiveRow<String> {
  /// A row whose key is a number.
  init(_ number: Int, version: UInt64 = 0) {
    self.init(id: RowID(number), element: "\(number).\(version)", version: version)
  }
}

extension RowID {
  init(_ number: Int) {
    self.init(key: RowKey([.integer(Int64(number))]))
  }

  var number: Int {
    if case .integer(let number) = key.values.first { Int(number) } else { -1 }
  }
}

extension LiveRows<String> {
  init(_ numbers: [Int]) {
    self.init(numbers.map { LiveRow($0) })
  }

  var numbers: [Int] { map(\.id.number) }

  mutating func move(from: Int, to: Int) {
    let row = self[from]
    remove(at: from)
    insert(row, at: to)
  }
}

/// Whether the row of the first list is, in identity and content, that of the other.
func isSame(_ lhs: some Sequence<TestRow>, _ rhs: some Sequence<TestRow>) -> Bool {
  lhs.elementsEqual(rhs) { $0.id == $1.id && $0.version == $1.version && $0.element == $1.element }
}

extension LiveRows {
  /// What tells the chunks of the rows from others.
  var chunkIdentities: [UInt] { stamps.runs(in: 0..<count).map(\.identity) }
}
