import Sanderling

/// The outcome for a row with local changes when the server's state arrives: a function of values only.
struct RowMerge: Equatable {
  /// The row; nil if there is none.
  var row: [StorageValue]?
  /// The server's row as far as it is known, which is the new base of the local changes.
  var base: [StorageValue]?
  /// The lost changes.
  var losses: [Loss] = []

  enum Side: String, Sendable {
    case local, server
  }

  /// A change that the merge discards.
  enum Loss: Equatable {
    /// The value that a side gave to a column, by its position.
    case value(Side, column: Int, StorageValue)
    /// The deletion of a side.
    case deletion(Side)
    /// The row of a side; the other side deleted it.
    case row(Side, [StorageValue])
  }
}

/// Merges a row from three versions.
struct RowMerger {
  let record: String
  let columns: [String]
  /// The positions of the key's columns, which are equal in all versions.
  let key: [Int]
  let policy: ConflictPolicy

  /// - Parameters:
  ///   - base: The server's row when the local changes began; nil for no row.
  ///   - local: The local row; nil for none.
  ///   - theirs: The server's current row, with nil for columns that it doesn't name; nil for no row.
  func merge(base: [StorageValue]?, local: [StorageValue]?, theirs: [StorageValue?]?) throws -> RowMerge {
    let server = theirs.map { theirs in
      // A column that the server doesn't name is unchanged there.
      columns.indices.map { index in
        theirs[index] ?? base?[index] ?? (key.contains(index) ? local?[index] : nil) ?? .null
      }
    }
    switch (local, server) {
    case (nil, nil):
      return RowMerge(row: nil, base: nil)
    case (let local?, nil):
      // The server never had the row, or its deletion arrived before.
      guard let base else { return RowMerge(row: local, base: nil) }
      if local == base { return RowMerge(row: nil, base: nil) }
      return isLocalKept(isDeletion: false)
        ? RowMerge(row: local, base: nil, losses: [.deletion(.server)])
        : RowMerge(row: nil, base: nil, losses: [.row(.local, local)])
    case (nil, let server?):
      if server == base { return RowMerge(row: nil, base: server) }
      // Without a base, this device never had the server's row and did not delete it.
      guard base != nil else { return RowMerge(row: server, base: server) }
      return isLocalKept(isDeletion: true)
        ? RowMerge(row: nil, base: server, losses: [.row(.server, server)])
        : RowMerge(row: server, base: server, losses: [.deletion(.local)])
    case (let local?, let server?):
      return try merge(base, local, server, isNamed: { theirs?[$0] != nil })
    }
  }

  /// Whether the local change is kept, if one side deleted the row and the other side changed it.
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
    /// If both sides inserted the row, columns that the server doesn't name are ours.
    func changedByServer(_ index: Int) -> Bool { base.map { server[index] != $0[index] } ?? isNamed(index) }
    func changedHere(_ index: Int) -> Bool { base.map { local[index] != $0[index] } ?? true }
    let others = columns.indices.filter { !key.contains($0) }
    // No conflict: only one side changed columns, or both changed them to the same values.
    if !others.contains(where: changedByServer) { return RowMerge(row: local, base: server) }
    if !others.contains(where: changedHere) { return RowMerge(row: server, base: server) }

    var row = local
    var isMerged: Set<Int> = []
    for index in others where changedByServer(index) {
      // The merge also runs for equal values: a counter that both sides raised by one was raised by two.
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

  /// Takes the values of one side, except for columns with a merge of their own and columns that the side doesn't name.
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
