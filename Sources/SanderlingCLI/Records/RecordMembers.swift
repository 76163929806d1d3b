import SanderlingSQL
import SanderlingTerminal

/// The names of a record's properties and associations.
struct RecordMembers {
  /// The property of the rowid, for a record that has it as its key.
  let rowID: String
  private let properties: [FoldedName: String]
  /// The associations to one record, by the position of their link among the table's links.
  private(set) var parents: [String] = []
  /// The roles of these parents: the names of the associations, if no property had them.
  let roles: [String]
  /// All names that are in use.
  private var taken: Set<String>

  /// The names of a record's own static members.
  private static let reserved: Set<String> = [
    "key", "table", "indexes", "fields", "query", "unscoped", "defaultScope", "changeHistory", "predicateProperties",
    "hasMany", "belongsTo", "all",
  ]

  /// - Parameter links: The foreign keys of the table that associations follow.
  init(_ table: FoundTable, _ links: [FoundLink], _ names: RecordNames) {
    // A property with the name of a type hides the type. The macro adds a property `key`, unless a property of that name
    // is the whole key and SQLite doesn't assign it.
    taken = names.types
    let key = table.recordKey.columns
    if key.count != 1 || table.assignsKey || SwiftName.property(of: key[0]) != "key" { taken.insert("key") }
    var natural = taken
    let plain = table.columns.map { SwiftName.property(of: $0.name, &natural) }
    var properties: [FoldedName: String] = [:]
    var bases: [String] = links.map { names[$0.parent.name].one }
    for (column, name) in zip(table.columns, plain) {
      var property = name
      for (index, link) in links.enumerated() {
        guard let end = link.end(among: links), end.column.folded == column.name.folded else { continue }
        let (wanted, base) = Self.names(name, names[link.parent.name].one, key: end.key)
        bases[index] = base
        if link.columns.count == 1, property == name, natural.insert(wanted).inserted { property = wanted }
      }
      properties[column.name.folded] = property
      taken.insert(property)
    }
    self.properties = properties
    roles = bases
    rowID = SwiftName.free(["rowID", "sqliteRowID"], &taken)
    taken.formUnion(Self.reserved)
    for (link, base) in zip(links, bases) {
      let parent = names[link.parent.name].one
      let other = base == parent ? "\(base)Record" : base + parent.capitalizedFirst
      parents.append(SwiftName.free([base, other], &taken))
    }
  }

  func property(of column: String) -> String { properties[column.folded] ?? column }

  /// Adds an association to many records, and returns its name.
  mutating func add(_ names: [String]) -> String { SwiftName.free(names, &taken) }

  /// Returns the names of the property of a foreign key and of its association: `projectID` and `project` for a column
  /// `project` as for a column `project_id`.
  ///
  /// - Parameters:
  ///   - property: The name that the property would have without a foreign key.
  ///   - parent: The name of one record that the key leads to.
  ///   - key: The property of that record's key.
  private static func names(_ property: String, _ parent: String, key: String) -> (property: String, base: String) {
    let keyWord = NameWords(key).words.last.map { NameWords(words: [$0]).asType } ?? "ID"
    // `authorServerID` leads to the author, if `serverID` is a part of the author's key.
    let wholeKey = key.lowercased().hasPrefix(parent.lowercased()) ? [] : [NameWords(key).asType]
    for ending in wholeKey + ["ID", keyWord, "Key", "Ref", "FK"] where property.hasSuffix(ending) && property != ending
    {
      return (property, String(property.dropLast(ending.count)))
    }
    if property.lowercased() == parent.lowercased() + "id" { return (parent + "ID", parent) }
    // A column `id` that refers to the key of another table, or `pid`.
    if property == key || property.hasSuffix("id") || property == property.uppercased() { return (property, parent) }
    return (property + keyWord, property)
  }
}
