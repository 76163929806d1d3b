import Sanderling

/// What becomes of a row that has local changes when the server says how it is there: a function of values only.
struct RowMerge: Equatable {
  /// The row; nil for none.
  var row: [StorageValue]?
  /// What the server has, as far as it is known: the base of the local changes from here on.
  var base: [StorageValue]?
  /// What got lost.
  var losses: [Loss] = []

  enum Side: String, Sendable {
    case local, server
  }

  /// A change that isn't there any more.
  enum Loss: Equatable {
    /// The value that a side gave to a column, by its position.
    case value(Side, column: Int, StorageValue)
    /// The deletion of a side.
    case deletion(Side)
    /// The row of a side that the other one deleted.
    case row(Side, [StorageValue])
  }
}

/// A row of three versions.
struct RowMerger {
  let record: String
  let columns: [String]
  /// The positions of the key's columns, which are equal in all versions.
  let key: [Int]
  let policy: ConflictPolicy

  /// - Parameters:
  ///   - base: What the server had when the local changes began; nil for no row.
  ///   - local: The row here; nil for none.
  ///   - theirs: What the server has now, with nil for columns that it doesn't name; nil for no row.
  func merge(base: [StorageValue]?, local: [StorageValue]?, theirs: [StorageValue?]?) throws -> RowMerge {
    let server = theirs.map { theirs in
      // Of a column that it doesn't name the server has what it had.
      columns.indices.map { index in
        theirs[index] ?? base?[index] ?? (key.contains(index) ? local?[index] : nil) ?? .null
      }
    }
    switch (local, server) {
    case (nil, nil):
      return RowMerge(row: nil, base: nil)
    case (let local?, nil):
      // The server never had it, or was told before.
      guard let base else { return RowMerge(row: local, base: nil) }
      if local == base { return RowMerge(row: nil, base: nil) }
      return isLocalKept(isDeletion: false)
        ? RowMerge(row: local, base: nil, losses: [.deletion(.server)])
        : RowMerge(row: nil, base: nil, losses: [.row(.local, local)])
    case (nil, let server?):
      if server == base { return RowMerge(row: nil, base: server) }
      // Neither side has deleted what the server has as a new row, and this device never had.
      guard base != nil else { return RowMerge(row: server, base: server) }
      return isLocalKept(isDeletion: true)
        ? RowMerge(row: nil, base: server, losses: [.row(.server, server)])
        : RowMerge(row: server, base: server, losses: [.deletion(.local)])
    case (let local?, let server?):
      return try merge(base, local, server, isNamed: { theirs?[$0] != nil })
    }
  }

  /// Whether what was done here is done, when one side has deleted the row and the other one changed it.
  private func isLocalKept(isDeletion: Bool) -> Bool {
    switch policy.deletion {
    case .changeWins: !isDeletion
    case .deletionWins: isDeletion
    case .clientWins: true
    case .serverWins: false
    }
  }

  // MARK: Two rows

  private func merge(
    _ base: [StorageValue]?, _ local: [StorageValue], _ server: [StorageValue], isNamed: (Int) -> Bool
  ) throws -> RowMerge {
    /// Where both made the row, what the server doesn't name is ours.
    func changedByServer(_ index: Int) -> Bool { base.map { server[index] != $0[index] } ?? isNamed(index) }
    func changedHere(_ index: Int) -> Bool { base.map { local[index] != $0[index] } ?? true }
    let others = columns.indices.filter { !key.contains($0) }
    // No conflict: one side has changed nothing, or both the same.
    if !others.contains(where: changedByServer) { return RowMerge(row: local, base: server) }
    if !others.contains(where: changedHere) { return RowMerge(row: server, base: server) }

    var row = local
    var isMerged: Set<Int> = []
    for index in others where changedByServer(index) {
      // Also of equal values: a counter that both have raised by one was raised by two.
      if !changedHere(index) {
        row[index] = server[index]
      } else if let merge = policy.merges[columns[index]] {
        row[index] = try merge.merge(base?[index], local[index], server[index])
        isMerged.insert(index)
      }
    }
    switch policy.rule {
    case .columns: break
    case .server: take(server, into: &row, except: isMerged, isNamed, base)
    case .local: take(local, into: &row, except: isMerged, { _ in true }, base)
    case .newest(let column):
      let index = columns.firstIndex(of: column) ?? 0
      let localIsNewer = server[index].isLess(than: local[index])
      take(localIsNewer ? local : server, into: &row, except: isMerged, localIsNewer ? { _ in true } : isNamed, base)
    case .custom(let resolve):
      let conflict = RecordConflict(
        record: record, key: key.map { local[$0] }, base: base.map(named), local: named(local), theirs: named(server))
      switch try resolve(conflict) {
      case .deletion:
        return RowMerge(row: nil, base: server, losses: [.row(.local, local), .row(.server, server)])
      case .row(let values):
        for index in others { if let value = values[columns[index]] { row[index] = value } }
      }
    }
    var losses: [RowMerge.Loss] = []
    for index in others where !isMerged.contains(index) && local[index] != server[index] {
      if changedHere(index), row[index] != local[index] { losses.append(.value(.local, column: index, local[index])) }
      if changedByServer(index), row[index] != server[index] {
        losses.append(.value(.server, column: index, server[index]))
      }
    }
    return RowMerge(row: row, base: server, losses: losses)
  }

  /// Takes the values of one side, but for columns with a merge of their own, and those of which the side says nothing.
  private func take(
    _ side: [StorageValue], into row: inout [StorageValue], except merged: Set<Int>, _ isNamed: (Int) -> Bool,
    _ base: [StorageValue]?
  ) {
    for index in columns.indices where !key.contains(index) && !merged.contains(index) {
      if base != nil || isNamed(index) { row[index] = side[index] }
    }
  }

  private func named(_ row: [StorageValue]) -> [String: StorageValue] {
    Dictionary(zip(columns, row)) { first, _ in first }
  }
}

extension StorageValue {
  /// SQLite's order of values: NULL, numbers, texts and blobs, both by their bytes.
  fileprivate func isLess(than other: StorageValue) -> Bool {
    switch (self, other) {
    case (.integer(let lhs), .integer(let rhs)): lhs < rhs
    case (.real(let lhs), .real(let rhs)): lhs < rhs
    case (.integer(let lhs), .real(let rhs)): Double(lhs) < rhs
    case (.real(let lhs), .integer(let rhs)): lhs < Double(rhs)
    case (.text(let lhs), .text(let rhs)): lhs.utf8.lexicographicallyPrecedes(rhs.utf8)
    case (.blob(let lhs), .blob(let rhs)): lhs.lexicographicallyPrecedes(rhs)
    default: rank < other.rank
    }
  }

  private var rank: Int {
    switch self {
    case .null: 0
    case .integer, .real: 1
    case .text: 2
    case .blob: 3
    }
  }
}
