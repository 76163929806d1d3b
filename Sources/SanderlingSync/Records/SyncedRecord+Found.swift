import Foundation
import GRDB
import Sanderling
import SanderlingSQL

extension SyncedRecord {
  /// An existing table of a database, as a record whose columns accept the values of the declared types.
  ///
  /// - Parameter key: The names of the key's columns; empty for the primary key.
  /// - Returns: Nil if there is no such table.
  /// - Throws: ``SyncError/invalidRecords(_:)`` if it has no such key or the key isn't unique, and errors of the
  ///   database.
  package init?(found name: String, key: [String] = [], _ db: Database) throws {
    if try db.viewExists(name, in: "main") {
      throw SyncError.invalidRecords("\(name) is a view, which can't be written")
    }
    let reader = TableReader(name, db)
    let columns = try reader.columns().filter { !$0.isGenerated }
    if columns.isEmpty { return nil }
    func place(_ column: String) throws -> Int {
      guard let place = columns.firstIndex(where: { $0.name.folded == column.folded }) else {
        throw SyncError.invalidRecords("the table \(name) has no column \(column), which the key names")
      }
      return place
    }
    let primary = columns.indices.filter { columns[$0].keyPosition > 0 }
      .sorted { columns[$0].keyPosition < columns[$1].keyPosition }
    let places = try key.isEmpty ? primary : key.map(place)
    if places.isEmpty { throw SyncError.invalidRecords("the table \(name) has no primary key: name the key's columns") }
    let names = Set(places.map { columns[$0].name.folded })
    let isUnique =
      try Set(places) == Set(primary)
      || reader.indexes().contains { index in
        try index.isUnique && !index.isPartial && Set(reader.terms(of: index).map(\.column?.folded)) == names
      }
    if !isUnique {
      let list = places.map { columns[$0].name }.joined(separator: ", ")
      throw SyncError.invalidRecords("two rows of \(name) may have the same \(list): a key needs a UNIQUE index")
    }
    let isStrict = try reader.isStrict()
    let found = columns.indices.map {
      Self.column(columns[$0], isNotNull: columns[$0].isNotNull || places.contains($0), inStrictTable: isStrict)
    }
    self.init(RecordTable(found: name, columns: found, key: places))
  }

  /// A record whose only known columns are those of its key, which are texts.
  package init(unknown name: String, key: [String]) {
    self.init(
      RecordTable(found: name, columns: key.map { RecordColumn($0, as: String.self) }, key: Array(key.indices)))
  }

  /// - Parameter column: A column of a table.
  static func column(_ column: ActualColumn, isNotNull: Bool, inStrictTable isStrict: Bool) -> RecordColumn {
    // An app's own collation isn't available when only files are read.
    let collation = Collation(rawValue: column.collation.uppercased()) ?? .binary
    func make<Value: ColumnValue>(_ type: Value.Type) -> RecordColumn {
      isNotNull
        ? RecordColumn(column.name, as: type, collation: collation)
        : RecordColumn(column.name, as: Value?.self, collation: collation)
    }
    func make<Coding: ColumnCoding>(any coding: Coding.Type) -> RecordColumn {
      RecordColumn(column.name, as: coding, collation: collation)
    }
    let type = column.type.uppercased()
    // SQLite's own rules, except for truth values.
    if type.contains("BOOL") { return make(Bool.self) }
    switch Affinity(declaredType: type, inStrictTable: isStrict) {
    case .integer: return make(Int64.self)
    case .text: return make(String.self)
    case .real: return make(Double.self)
    case .blob: return type.contains("BLOB") ? make(Data.self) : make(any: UntypedCoding.self)
    case .numeric:
      return Affinity.isOfNumbers(declaredType: type) ? make(any: NumericCoding.self) : make(any: NumberLikeCoding.self)
    }
  }
}
