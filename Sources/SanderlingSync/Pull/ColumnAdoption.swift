import Sanderling

/// Moves the values of formerly unknown columns into columns that the record has now.
struct ColumnAdoption {
  private let puller: Puller
  private let number: Int
  private let table: SyncTable
  private static let pageSize = 128

  init(_ puller: Puller, _ number: Int) {
    self.puller = puller
    self.number = number
    table = puller.tables.all[number]
  }

  func run() async throws {
    let record = StorageValue.text(table.table.name)
    let adopted = try await puller.store.read { [table] tx in
      var columns: [String] = []
      try tx.run(SyncState.readUnknown, [record]) { columns.append(try $0.text(at: 0)) }
      return columns.filter { table.places[$0] != nil }
    }
    if adopted.isEmpty { return }
    var last: [StorageValue]? = []
    while let behind = last { last = try await adopt(adopted, behind) }
    try await puller.store.write("sync \(puller.name)", priority: .background) { tx in
      for column in adopted { try tx.run(SyncState.forgetUnknown, [record, .text(column)]) }
    }
  }

  /// - Returns: The key of the last row of the page; nil at the end.
  private func adopt(_ columns: [String], _ behind: [StorageValue]) async throws -> [StorageValue]? {
    let width = table.keyNames.count
    return try await puller.store.write("sync \(puller.name)", priority: .background) { [puller, number, table] tx in
      var page: [(key: [StorageValue], values: KeptValues)] = []
      try tx.run(table.selectExtras(behindKey: !behind.isEmpty), behind + [.integer(Int64(Self.pageSize))]) { row in
        let key = (0..<width).map { row.storageValue(at: Int32($0)) }
        page.append((key, try KeptValues(json: row.text(at: Int32(width)))))
      }
      try puller.applying(tx.database) {
        var transaction = try puller.transaction(tx, false, isCareful: true, misfits: .quarantine)
        // The values come from the source and belong to a column without edits.
        transaction.unnoted = [:]
        for (key, kept) in page {
          var values = kept
          var known: [String: StorageValue] = [:]
          for name in columns {
            guard let value = values.values[name], let place = table.places[name] else { continue }
            known[name] = value.value(in: table.table.columns[place])
          }
          if known.isEmpty { continue }
          values.remove(columns)
          if values.isEmpty {
            try tx.run(table.deleteExtra, key)
          } else {
            try tx.run(table.writeExtra, key + [.text(values.json)])
          }
          // The row may be missing, or its change may be parked with these values. If it was deleted locally, it may
          // come back.
          guard try tx.isFound(table.exists, key) else {
            try puller.outbox?.complete(key, with: known, of: table.record, in: tx.database)
            continue
          }
          // The values may belong to an earlier row with the same key. A departed row that still waits would be kept
          // for them.
          if let outbox = puller.outbox, try !outbox.isOfServer(key, of: table.record, in: tx.database) { continue }
          // The change has the row's version; otherwise local changes would have no base.
          let version = try table.record.synced.version(key, tx.database)
          let change = SyncChange(table.record.name, key: key, .row(known), version: version)
          try transaction.place(PlannedChange(table: number, change: change), isLast: true)
        }
      }
      return page.count < Self.pageSize ? nil : page.last?.key
    }
  }
}
