import Sanderling
import SanderlingSQL
import SanderlingTerminal

/// Translates a store of Core Data or SwiftData to records of a new database with plain names and types, and to the move
/// of its rows.
///
/// All entities of a family stay in one table, so that references to any of them stay foreign keys. The record of the
/// root stores the columns of all; the records of sub-entities only read theirs.
struct CoreDataMove {
  /// A column of the new database.
  struct Column {
    /// The entity that declares the property.
    let entity: String
    let member: CoreDataNames.Member
    /// The name of the column, and of the root's property.
    let name: String
    let old: FoundTable.Column
    let kind: Kind
    /// The expression for the value, over the old table.
    let sql: String
  }

  enum Kind {
    case attribute(CoreDataRecords.Stored)
    case key(to: CoreDataStore.Entity, isOptional: Bool, rule: CoreDataModel.DeleteRule?)
    case order
  }

  struct Family {
    let root: CoreDataStore.Entity
    let members: [CoreDataStore.Entity]
    /// The property with the key.
    let key: String
    /// The property with the entity's name; nil if the root has no sub-entities.
    let kind: String?
    let columns: [Column]
  }

  private var old: CoreDataRecords
  private let families: [Family]

  var notes: [String] { old.notes }

  /// The lines below the first line of the file.
  var header: [String] {
    ["Run the move before a store is opened at the new path: see StoreMove."]
      + (old.store.hasModel ? [] : old.header.dropFirst())
  }

  init(_ old: CoreDataRecords) {
    self.old = old
    families = old.store.entities.filter { $0.parent == nil }.map { Self.family(of: $0, old) }
  }

  mutating func records() -> [RecordPlan.Record] {
    // The notes of the old records name the same parts.
    _ = old.records()
    return families.flatMap { family in family.members.map { record(of: $0, in: family) } }
      + old.links.map { record(of: $0) }
  }

  // MARK: Families

  private static func family(of root: CoreDataStore.Entity, _ old: CoreDataRecords) -> Family {
    let members = old.store.entities.filter { $0.root == root.name }
    let used = Set(members.flatMap { old.names.members(of: $0.name) }.map { $0.lowercased() })
    let key = used.contains("id") ? CoreDataNames.objectID : "id"
    let kind = members.count > 1 ? (used.contains("kind") ? CoreDataNames.entity : "kind") : nil
    var taken = Set([key, kind ?? key] + old.names.associations(of: root.name)).lowercased
    var columns: [Column] = []
    func add(_ entity: CoreDataStore.Entity, _ member: CoreDataNames.Member, _ column: FoundTable.Column, _ kind: Kind)
    {
      let base = old.names.member(member, of: entity.name)
      let candidates = [base, entity.name.withSmallBeginning + base.capitalizedFirst]
      var (name, number) = (candidates.first { !taken.contains($0.lowercased()) }, 2)
      while name == nil {
        let numbered = "\(base)\(number)"
        if !taken.contains(numbered.lowercased()) { name = numbered }
        number += 1
      }
      taken.insert((name ?? base).lowercased())
      var sql = column.name.sqlName
      if case .attribute(let stored) = kind, stored.type == .binary, stored.property.attribute?.isExternal == true {
        sql = "external_data(\(sql))"
      }
      columns.append(Column(entity: entity.name, member: member, name: name ?? base, old: column, kind: kind, sql: sql))
    }
    for entity in members {
      let own = Set(entity.own.map(\.name))
      for stored in old.stored(entity) where own.contains(stored.topName) {
        add(entity, stored.member, stored.column, .attribute(stored))
      }
      for property in entity.own {
        guard let relationship = property.relationship, !relationship.isToMany,
          let destination = old.store.entity(relationship.destination),
          let column = old.found(property.name, in: entity)
        else { continue }
        let isOptional = property.isOptional || old.hasNull(column, in: entity) || entity.parent != nil
        let rule = relationship.inverse.flatMap { destination.property($0) }?.relationship?.deleteRule
        add(entity, .key(property.name), column, .key(to: destination, isOptional: isOptional, rule: rule))
        if let order = old.found(property.name, in: entity, .order) {
          add(entity, .order(property.name), order, .order)
        }
      }
      for (owner, property, relationship) in old.store.relationshipsWithoutInverse
      where relationship.destination == entity.name {
        guard let column = old.found(property.name, in: owner) else { continue }
        add(
          entity, .owner(owner.name, relationship: property.name), column,
          .key(to: owner, isOptional: true, rule: relationship.deleteRule))
        if let order = old.found(property.name, in: owner, .order) {
          add(entity, .ownersOrder(owner.name, relationship: property.name), order, .order)
        }
      }
    }
    return Family(root: root, members: members, key: key, kind: kind, columns: columns)
  }

  // MARK: Records

  private mutating func record(of entity: CoreDataStore.Entity, in family: Family) -> RecordPlan.Record {
    let name = old.names.type(entity.name)
    let isRoot = entity.parent == nil
    let table = SwiftName.table(of: old.names.type(family.root.name))
    var lines = ["\(family.key == "id" ? "" : "@PrimaryKey ")var \(family.key): Int64\(isRoot ? "?" : "")"]
    if let kind = family.kind {
      if isRoot {
        lines.append(
          "// The name of the entity: \(family.members.filter { !$0.isAbstract }.map(\.name.printable).joined(separator: ", "))."
        )
      }
      lines.append("var \(kind): String")
    }
    let lineage = lineage(of: entity)
    for column in family.columns where isRoot || lineage.contains(column.entity) {
      lines += property(column, in: entity, isRoot: isRoot)
    }
    for property in entity.properties {
      guard let relationship = property.relationship else {
        lines += old.leftOut(property, property.name, in: entity)
        continue
      }
      let result = old.relationship(property, relationship, in: entity)
      lines += result.columns.filter { $0.hasPrefix("//") } + result.associations
    }
    var comments = entity.isAbstract ? ["The entity is abstract: its rows belong to sub-entities."] : []
    guard isRoot else {
      let kinds = old.store.entities.filter { entity.family.contains($0.number) }.map(\.name.swiftLiteral)
      let condition = kinds.count == 1 ? " == \(kinds[0]) }" : ".in([\(kinds.joined(separator: ", "))]) }"
      lines.append(
        "static let defaultScope = Condition<\(name)> { $0.\(family.kind ?? CoreDataNames.entity)\(condition)")
      comments.append(
        "A sub-entity of \(old.names.type(entity.parent ?? "")), to read: \(old.names.type(family.root.name)) writes its rows."
      )
      return RecordPlan.Record(
        name: name, comments: comments, attribute: "@Record(view: \(table.swiftLiteral))", lines: lines)
    }
    var properties: [FoldedName: String] = ["Z_PK".folded: family.key]
    if let kind = family.kind { properties["Z_ENT".folded] = kind }
    for column in family.columns { properties[column.old.name.folded] = column.name }
    let (indexes, others) = old.indexes(of: entity, properties)
    comments += others
    let attribute = "@Record" + (indexes.isEmpty ? "" : "(indexes: [\(indexes.joined(separator: ", "))])")
    return RecordPlan.Record(name: name, comments: comments, attribute: attribute, lines: lines)
  }

  /// The names of the entity and of all that it inherits from.
  private func lineage(of entity: CoreDataStore.Entity) -> Set<String> {
    var (names, next): (Set<String>, CoreDataStore.Entity?) = ([], entity)
    while let entity = next {
      names.insert(entity.name)
      next = entity.parent.flatMap(old.store.entity)
    }
    return names
  }

  /// The property of a column. The root's property is optional if rows of other entities lack the value.
  private func property(_ column: Column, in entity: CoreDataStore.Entity, isRoot: Bool) -> [String] {
    let owner = old.store.entity(column.entity) ?? entity
    let member = isRoot ? column.name : old.names.member(column.member, of: entity.name)
    var arguments = member == column.name ? [] : [column.name.swiftLiteral]
    let isOfOther = isRoot && owner.parent != nil
    switch column.kind {
    case .order: return ["\(stored(arguments))var \(SwiftName.quoted(member)): Int?"]
    case .key(let destination, let isOptional, let rule):
      let reference = isRoot ? old.foreignKey(to: destination, isOptional, rule) + " " : ""
      return ["\(stored(arguments))\(reference)var \(SwiftName.quoted(member)): Int64\(isOptional ? "?" : "")"]
    case .attribute(let attribute):
      let isUnfit = old.unfit[owner.name]?.contains(column.old.name) == true
      let hasNull = old.hasNull(column.old, in: owner)
      if let coding = attribute.type.found.coding { arguments.append("as: \(coding)") }
      let isOptional = attribute.property.isOptional || hasNull || isUnfit || isOfOther
      var line =
        "\(stored(arguments))var \(SwiftName.quoted(member)): \(attribute.type.found.swift)\(isOptional ? "?" : "")"
      if isRoot, !isOfOther, let literal = attribute.type.literal(attribute.property.attribute?.defaultValue) {
        line += " = \(literal)"
      }
      return comments(on: attribute, isUnfit: isUnfit, hasNull: hasNull).map { "// \($0.printable)" } + [line]
    }
  }

  private func stored(_ arguments: [String]) -> String {
    arguments.isEmpty ? "" : "@Stored(\(arguments.joined(separator: ", "))) "
  }

  private func comments(on stored: CoreDataRecords.Stored, isUnfit: Bool, hasNull: Bool) -> [String] {
    let attribute = stored.property.attribute
    var comments: [String] = []
    switch stored.type {
    case .transformable:
      comments.append("Transformable by \(attribute?.transformer ?? "a class"): the bytes as they are stored.")
    case .codable: comments.append("Codable as \(attribute?.transformer ?? "a type"): the bytes as they are stored.")
    default: break
    }
    if let derivation = attribute?.derivation {
      comments.append("Core Data derived it: \(derivation). Nothing updates it here.")
    }
    if stored.property.isValidated { comments.append("Core Data validated the values by predicates of the model.") }
    if let note = stored.type.found.note { comments.append(note.capitalizedFirst + ".") }
    if isUnfit { comments.append("Some values have another type. The move sets them to NULL and reports them.") }
    if !stored.property.isOptional, hasNull { comments.append("Not optional in the model, and NULL in some rows.") }
    return comments
  }

  private func record(of link: CoreDataLink) -> RecordPlan.Record {
    let members = CoreDataRecords.LinkMembers(link, old.names)
    let entities = link.sides.map { old.store.entity($0.entity)?.root ?? $0.entity }
    var lines = link.sides.indices.map { index in
      let action = link.sides[index].relationship.relationship?.deleteRule == .deny ? ".restrict" : ".cascade"
      return
        "@PrimaryKey @References(\(old.names.type(entities[index])).self, onDelete: \(action)) var \(members.keys[index]): Int64"
    }
    lines += members.orders.compactMap { $0.map { "var \($0): Int?" } }
    lines += link.sides.indices.map { index in
      "static let \(members.associations[index]) = belongsTo(\(old.names.type(link.sides[index].entity)).self, by: \\.\(members.keys[index]))"
    }
    let sides = link.sides.map { "\(old.names.type($0.entity)).\($0.relationship.name)" }
    return RecordPlan.Record(
      name: old.names.type(link), comments: ["Between \(sides[0]) and \(sides[1])."],
      attribute: "@Record(indexes: [.on(\\.\(members.keys[1]))])", lines: lines)
  }

  // MARK: The move

  /// The numbers of the entities, the tables and the move.
  var declarations: String {
    let entities = old.store.entities.flatMap { entity in
      // A store that was made after the entity was renamed has the new name.
      (entity.storedName == entity.name ? [entity.name] : [entity.storedName, entity.name]).map {
        "\($0.swiftLiteral): \(entity.number)"
      }
    }.joined(separator: ", ")
    return """

      let entities = [\(entities)]

      let tables = [
      \((families.map(table) + old.links.map(table)).joined(separator: "\n"))
      ]

      func move(from oldPath: String, to newPath: String) -> StoreMove {
        StoreMove(from: oldPath, to: newPath, schema: schema, entities: entities, tables: tables)
      }

      """
  }

  private func table(_ family: Family) -> String {
    var columns = [(family.key, "Z_PK")]
    if let kind = family.kind {
      let cases = family.members.map { "WHEN \($0.number) THEN \($0.name.quotedLiteral)" }.joined(separator: " ")
      columns.append((kind, "CASE Z_ENT \(cases) END"))
    }
    columns += family.columns.map { ($0.name, $0.sql) }
    return table(
      old.names.type(family.root.name), family.root.table.name, columns,
      family.kind.map { ", entity: \($0.swiftLiteral)" } ?? "")
  }

  private func table(_ link: CoreDataLink) -> String {
    let members = CoreDataRecords.LinkMembers(link, old.names)
    let columns =
      link.sides.indices.map { (members.keys[$0], link.sides[$0].column.sqlName) }
      + zip(members.orders, link.sides).compactMap { order, side in
        order.flatMap { order in side.order.map { (order, $0.sqlName) } }
      }
    return table(old.names.type(link), link.table.name, columns, "")
  }

  private func table(_ type: String, _ source: String, _ columns: [(String, String)], _ entity: String) -> String {
    let lines = columns.map { name, sql in
      "      \(name.replacing("`", with: "").swiftLiteral): \(sql.swiftLiteral),"
    }
    return "  StoreMove.Table(\n    \(type).self, from: \(source.swiftLiteral)\(entity),\n    [\n"
      + lines.joined(separator: "\n") + "\n    ]),"
  }
}

extension CoreDataRecords.Stored {
  /// The name of the property; of the whole for a part of a composite attribute.
  fileprivate var topName: String {
    if case .attribute(let path) = member { String(path.prefix { $0 != "." }) } else { property.name }
  }
}

extension Set<String> {
  fileprivate var lowercased: Set<String> { Set(map { $0.lowercased() }) }
}

extension String {
  /// The name in SQL, with quotes only where it needs them.
  fileprivate var sqlName: String {
    allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") } ? self : quotedIdentifier
  }
}
