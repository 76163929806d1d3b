import SanderlingTerminal
import SanderlingSQL

/// The members of all records of a database, with associations in both directions for each foreign key.
struct RecordAssociations {
  private var members: [FoldedName: RecordMembers] = [:]
  private var lines: [FoldedName: [String]] = [:]
  private var links: [FoldedName: [FoundLink]] = [:]
  private let names: RecordNames

  /// - Parameter tables: The tables that get records.
  init(_ tables: [FoundTable], _ names: RecordNames, _ types: RecordTypes) {
    self.names = names
    let parents = Dictionary(tables.map { ($0.name.folded, $0) }, uniquingKeysWith: { first, _ in first })
    for table in tables {
      var links: [FoundLink] = []
      let positions = Dictionary(
        table.columns.enumerated().map { ($1.name.folded, $0) }, uniquingKeysWith: { first, _ in first })
      func position(_ reference: TableForeignKey) -> [Int] { reference.columns.map { positions[$0.folded] ?? 0 } }
      for reference in table.references.sorted(by: { position($0).lexicographicallyPrecedes(position($1)) }) {
        guard let parent = parents[reference.parent.folded],
          let link = FoundLink(reference, of: table, to: parent, types),
          !links.contains(where: { $0.columns.folded == link.columns.folded && $0.parent.name == parent.name })
        else { continue }
        links.append(link)
      }
      self.links[table.name.folded] = links
    }
    for table in tables {
      members[table.name.folded] = RecordMembers(table, links[table.name.folded] ?? [], names)
    }
    for table in tables { addParents(of: table) }
    var toChildren: [FoldedName: [String]] = [:]
    for table in tables { toChildren[table.name.folded] = addChildren(from: table) }
    for table in tables { addJoined(by: table, toChildren[table.name.folded] ?? []) }
  }

  func members(of table: FoundTable) -> RecordMembers? { members[table.name.folded] }
  func links(of table: FoundTable) -> [FoundLink] { links[table.name.folded] ?? [] }
  /// The declarations of a table's associations.
  func declarations(of table: FoundTable) -> [String] { lines[table.name.folded] ?? [] }

  private mutating func addParents(of table: FoundTable) {
    guard let members = members(of: table) else { return }
    for (link, name) in zip(links(of: table), members.parents) {
      add("\(SwiftName.quoted(name)) = belongsTo(\(type(link.parent)).self, by: \(keyPaths(link)))", to: table)
    }
  }

  /// Adds the associations to the rows of a table, and returns their names in the order of the table's links.
  private mutating func addChildren(from table: FoundTable) -> [String] {
    let all = links(of: table)
    let bases = members(of: table)?.roles ?? []
    let many = names[table.name].many
    return zip(all, bases).map { link, base in
      let parent = names[link.parent.name].one
      let isOnly = all.filter { $0.parent.name == link.parent.name }.count == 1
      let isOwn = link.parent.name == table.name
      let role = "\(many)As\(base.capitalizedFirst)"
      let wanted =
        isOwn && (base == "parent" || base == "parent\(parent.capitalizedFirst)")
        ? ["children", role] : !isOwn && (isOnly || base == parent) ? [many, role] : [role]
      let name = add(wanted, to: link.parent)
      add("\(SwiftName.quoted(name)) = hasMany(\(type(table)).self, by: \(keyPaths(link)))", to: link.parent)
      return name
    }
  }

  /// Adds the associations through a join table.
  private mutating func addJoined(by table: FoundTable, _ toChildren: [String]) {
    let all = links(of: table)
    guard let members = members(of: table),
      let (first, second) = all.indices.lazy.flatMap({ first in all.indices.dropFirst(first + 1).map { (first, $0) } })
        .first(where: { all[$0.0].isJoin(with: all[$0.1], among: all, names) })
    else { return }
    for (near, far) in [(first, second), (second, first)] {
      let many = plural(members.parents[far], all[far].parent)
      let name = add([many, "\(many)Through\(toChildren[near].capitalizedFirst)"], to: all[near].parent)
      add(
        "\(SwiftName.quoted(name)) = hasMany(\(type(all[far].parent)).self, through: \(SwiftName.quoted(toChildren[near])), "
          + "using: \(type(table)).\(SwiftName.quoted(members.parents[far])))", to: all[near].parent)
    }
  }

  /// Returns the plural of an association's name: that of the table, if the association has the record's name.
  private func plural(_ name: String, _ parent: FoundTable) -> String {
    if name == names[parent.name].one { return names[parent.name].many }
    var words = NameWords(name)
    if let last = words.words.popLast() { words.words.append(EnglishNoun.plural(last)) }
    return words.asValue
  }

  private mutating func add(_ wanted: [String], to table: FoundTable) -> String {
    members[table.name.folded]?.add(wanted) ?? wanted[0]
  }

  private mutating func add(_ declaration: String, to table: FoundTable) {
    lines[table.name.folded, default: []].append("static let \(declaration)")
  }

  private func type(_ table: FoundTable) -> String { names[table.name].type }

  private func keyPaths(_ link: FoundLink) -> String {
    link.columns.map { column in
      "\\.\(SwiftName.quoted(members(of: link.child)?.property(of: column) ?? column))"
    }.joined(separator: ", ")
  }
}
