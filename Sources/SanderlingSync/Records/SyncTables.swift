import GRDB
import Sanderling
import SanderlingSQL

/// The tables of all records of a synchronisation.
struct SyncTables: Sendable {
  let all: [SyncTable]
  let statements = RowStatementCache()
  /// The positions of the tables, by the sources' names for their records.
  private let places: [String: Int]
  /// The level of each table below the tables that it refers to: parents come first.
  let ranks: [Int]
  /// The columns of each table that others refer to.
  let targets: [[[FoldedName]]]

  /// The references to each table's key.
  let dependences: [[Dependence]]

  /// A reference to the key of another table.
  struct Dependence: Sendable {
    enum Action: Sendable {
      case cascade, setNull, restrict

      init?(_ sql: String) {
        switch sql {
        case "CASCADE": self = .cascade
        case "SET NULL": self = .setNull
        case "NO ACTION", "RESTRICT": self = .restrict
        default: return nil
        }
      }
    }

    /// The position of the table with the reference.
    let child: Int
    let columns: [String]
    /// The positions of the values in the other table's key.
    let places: [Int]
    /// The fate of a row whose parent is deleted.
    let action: Action
  }

  /// - Throws: ``SyncError/invalidRecords(_:)``, and errors of the database.
  init(_ records: [SyncedRecord], _ db: Database) throws {
    for record in records where record.table.isView {
      throw SyncError.invalidRecords("\(record.name) is a view, which can't be written")
    }
    for record in records {
      if let other = record.conflicts.tables.first(where: { $0 != record.table.name }) {
        throw SyncError.invalidRecords("the conflict policy of \(record.name) names a property of table \(other)")
      }
    }
    let tables = try records.map { try SyncTable($0, db) }
    if Set(records.map(\.name)).count < records.count || Set(records.map(\.table.name.folded)).count < records.count {
      throw SyncError.invalidRecords("two records have the same name or the same table: name each table once")
    }
    all = tables
    places = Dictionary(uniqueKeysWithValues: records.enumerated().map { ($1.name, $0) })
    let byTable = Dictionary(uniqueKeysWithValues: tables.enumerated().map { ($1.table.name.folded, $0) })
    ranks = Self.ranks(tables, byTable)
    dependences = tables.map { Self.dependences(on: $0, among: tables) }
    targets = tables.map { table in
      let columns = tables.flatMap(\.references).filter { $0.parent.folded == table.table.name.folded }
      return Array(Set(columns.map { $0.parentColumns.map(\.folded) }))
    }
  }

  func place(ofRecord name: String) -> Int? { places[name] }

  private static func dependences(on parent: SyncTable, among tables: [SyncTable]) -> [Dependence] {
    let key = parent.keyNames.map(\.folded)
    return tables.enumerated().flatMap { number, child in
      child.references.compactMap { reference in
        guard reference.parent.folded == parent.table.name.folded,
          let action = Dependence.Action(reference.onDelete)
        else { return nil }
        let places = reference.parentColumns.compactMap { key.firstIndex(of: $0.folded) }
        guard places.count == reference.columns.count else { return nil }
        return Dependence(child: number, columns: reference.columns, places: places, action: action)
      }
    }
  }

  /// A cycle is entered at its first table.
  private static func ranks(_ tables: [SyncTable], _ byTable: [FoldedName: Int]) -> [Int] {
    var ranks = [Int?](repeating: nil, count: tables.count)
    var entered: Set<Int> = []
    func rank(_ place: Int) -> Int {
      if let known = ranks[place] { return known }
      guard entered.insert(place).inserted else { return 0 }
      let parents = tables[place].references.compactMap { byTable[$0.parent.folded] }.filter { $0 != place }
      let result = (parents.map { rank($0) + 1 }.max() ?? 0)
      ranks[place] = result
      return result
    }
    return tables.indices.map { rank($0) }
  }
}
