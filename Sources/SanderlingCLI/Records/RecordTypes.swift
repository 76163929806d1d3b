import Sanderling
import SanderlingSQL

/// The Swift types of a database's columns.
///
/// The columns of a foreign key have the type of the key that they refer to, so that associations can follow them. A
/// column without values takes its type from a column that refers to it, or from columns of other tables with the same
/// name and declared type.
struct RecordTypes {
  /// A column of the database.
  private struct Place: Hashable {
    let table: FoldedName
    let column: FoldedName
  }

  fileprivate struct Kind: Hashable {
    let name: FoldedName
    let type: String
  }

  private let tables: [FoldedName: FoundTable]
  /// The columns that refer to a column.
  private var referring: [Place: [Place]] = [:]
  /// The columns with values, by name and declared type.
  private var alike: [Kind: [FoundTable.Column]] = [:]
  private var types: [Place: FoundType] = [:]

  init(_ tables: [FoundTable]) {
    self.tables = Dictionary(tables.map { ($0.name.folded, $0) }, uniquingKeysWith: { first, _ in first })
    for table in tables {
      for column in table.columns {
        let place = Place(table: table.name.folded, column: column.name.folded)
        for target in targets(of: place) { referring[target, default: []].append(place) }
        if column.values.count > 0 { alike[Kind(column), default: []].append(column) }
      }
    }
    for table in tables {
      for column in table.columns {
        _ = resolve(Place(table: table.name.folded, column: column.name.folded), by: [])
      }
    }
  }

  func type(of column: String, in table: String) -> FoundType {
    types[Place(table: table.folded, column: column.folded)] ?? .any(note: "is unknown")
  }

  /// The columns that a column refers to by foreign keys: first those of keys of one column.
  private func targets(of place: Place) -> [Place] {
    guard let table = tables[place.table] else { return [] }
    return table.references.sorted { $0.columns.count < $1.columns.count }.flatMap { reference -> [Place] in
      guard let parent = tables[reference.parent.folded] else { return [] }
      let parentColumns = reference.columns(in: parent)
      return zip(reference.columns, parentColumns).filter { $0.0.folded == place.column }.map {
        Place(table: parent.name.folded, column: $0.1.folded)
      }
    }
  }

  private func column(_ place: Place) -> FoundTable.Column? {
    tables[place.table]?.columns.first { $0.name.folded == place.column }
  }

  private mutating func resolve(_ place: Place, by visited: Set<Place>) -> FoundType? {
    if let known = types[place] { return known }
    guard let table = tables[place.table], let column = column(place) else { return nil }
    let visited = visited.union([place])
    var type: FoundType?
    if table.assignsKey, column.keyPosition > 0 { type = .assignedKey }
    for target in targets(of: place) where type == nil && !visited.contains(target) {
      if var found = resolve(target, by: visited), fits(found, column) {
        found.note = nil
        type = found
      }
    }
    types[place] = type ?? ownType(of: column, place)
    return types[place]
  }

  /// Whether a column can store its values as a type does, and holds no others.
  private func fits(_ type: FoundType, _ column: FoundTable.Column) -> Bool {
    guard !type.isAny, column.isKept(type) else { return false }
    if column.values.count == 0 { return true }
    return column.foundType.map { $0.storage == type.storage && $0.coding == type.coding } == true
  }

  private func ownType(of column: FoundTable.Column, _ place: Place) -> FoundType {
    if column.values.count == 0 {
      let referring = (referring[place] ?? []).compactMap(self.column).filter { $0.values.count > 0 }
      for columns in [referring, alike[Kind(column)] ?? []] {
        let types = columns.map(\.foundType)
        if let first = types.first ?? nil, types.allSatisfy({ $0?.isAlike(first) == true }), column.isKept(first) {
          return first
        }
      }
    }
    return column.foundType ?? .any(note: note(on: column))
  }

  /// The reason why a column's values have no type of their own; nil if the column never had a type.
  private func note(on column: FoundTable.Column) -> String? {
    let classes = column.values.classes.sorted().map { "\($0)s" }.joined(separator: " and ")
    switch column.values.classes.count {
    case 0:
      return ["", "ANY"].contains(column.type.uppercased()) ? nil : "has no values, and is declared \(column.type)"
    case 1:
      return
        "holds \(classes), and is declared \(column.type): SQLite turns texts that look like numbers into numbers"
    default: return "holds \(classes)"
    }
  }
}

extension RecordTypes.Kind {
  fileprivate init(_ column: FoundTable.Column) {
    self.init(name: column.name.folded, type: column.type.asciiUppercased)
  }
}

extension TableForeignKey {
  /// The columns of the parent that the key's columns refer to.
  func columns(in parent: FoundTable) -> [String] {
    parentColumns.isEmpty ? parent.keyColumns.map(\.name) : parentColumns
  }
}
