/// The cells of a table's profile, in a form for drawing rows.
struct JointTable {
  struct Malformed: Error {}

  /// The rows of one block.
  struct Block {
    var cells: [[Int]] = []
    /// The number of rows in the cells up to each one.
    var ends: [Int64] = []
    /// For each column, its groups and the number of other rows in the groups up to each one.
    var others: [(groups: [Int], ends: [Int64])]
    var otherRows: Int64 = 0

    var cellRows: Int64 { ends.last ?? 0 }
    var rows: Int64 { cellRows + otherRows }
  }

  private(set) var blocks: [Block]
  let rows: Int64

  /// - Throws: `Malformed`.
  init(_ joint: ProfiledJoint) throws {
    let empty = Block(others: joint.columns.map { _ in ([], []) })
    var blocks = [Block](repeating: empty, count: joint.blocks)
    for cell in joint.cells {
      let (block, numbers, count) = try Self.read(cell)
      guard blocks.indices.contains(block), numbers.count == joint.columns.count,
        zip(numbers, joint.groups).allSatisfy({ $0 == -1 || $1.indices.contains($0) })
      else { throw Malformed() }
      blocks[block].ends.append(blocks[block].cellRows + count)
      blocks[block].cells.append(numbers)
    }
    for other in joint.others {
      let (block, numbers, count) = try Self.read(other)
      guard blocks.indices.contains(block), numbers.count == 2, joint.columns.indices.contains(numbers[0]),
        numbers[1] == -1 || joint.groups[numbers[0]].indices.contains(numbers[1])
      else { throw Malformed() }
      let last = blocks[block].others[numbers[0]].ends.last ?? 0
      blocks[block].others[numbers[0]].groups.append(numbers[1])
      blocks[block].others[numbers[0]].ends.append(last + count)
      blocks[block].otherRows = max(blocks[block].otherRows, last + count)
    }
    self.blocks = blocks
    rows = blocks.reduce(0) { $0 + $1.rows }
    guard rows < 1 << 42 else { throw Malformed() }
  }

  /// Reads a line such as `3: 0,-1,2= 120`.
  private static func read(_ text: String) throws -> (block: Int, numbers: [Int], count: Int64) {
    let parts = text.split(separator: "=")
    let head = parts.first?.split(separator: ":") ?? []
    guard parts.count == 2, head.count == 2, let block = Int(head[0]),
      let count = Int64(parts[1].drop { $0 == " " }), (1...(1 << 40)).contains(count)
    else { throw Malformed() }
    let numbers = head[1].split(separator: ",").compactMap { Int($0.drop { $0 == " " }) }
    return (block, numbers, count)
  }
}
