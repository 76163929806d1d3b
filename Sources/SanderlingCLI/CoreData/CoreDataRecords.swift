import SanderlingTerminal
import GRDB
import Sanderling
import SanderlingSQL

/// Translates a store of Core Data or SwiftData to records with the developer's names.
struct CoreDataRecords {
  let store: CoreDataStore
  private let columns: CoreDataColumns
  let links: [CoreDataLink]
  let names: CoreDataNames
  /// The columns of each entity with NULL, and those with values of another type than the model's.
  private var nullable: [String: Set<String>] = [:]
  private(set) var unfit: [String: Set<String>] = [:]
  /// Sentences about the parts of the store that records can't express.
  private(set) var notes: [String]

  /// The lines below the first line of the file.
  var header: [String] {
    ["Open it read-only: Core Data can't follow the rows that another program writes."]
      + (store.hasModel
        ? []
        : [
          "It has no model: names come from columns in capitals, types from declared types and values. Relationships are missing."
        ])
  }

  /// - Throws: Errors of the database.
  init(_ store: CoreDataStore, _ db: Database) throws {
    self.store = store
    columns = try CoreDataColumns(store, db)
    links = CoreDataLink.all(in: store)
    names = CoreDataNames(store, links)
    notes = store.notes
    if !store.hasModel {
      notes.append("the store has no model: names come from columns in capitals, and relationships are missing")
    }
    for entity in store.entities { try readFacts(of: entity, db) }
  }

  mutating func records() -> [RecordPlan.Record] {
    let linked = Set(links.map(\.table.name))
    let entities = store.entities.map { record(of: $0) }
    let between = links.map { record(of: $0) }
    for table in store.otherTables where !linked.contains(table.name) {
      notes.append("the table \(table.name) belongs to no property that is certain, and is left out")
    }
    return entities + between
  }

  // MARK: Facts

  /// A column of an entity's record, with its type.
  struct Stored {
    let member: CoreDataNames.Member
    let property: CoreDataModel.Property
    let type: CoreDataType
    let column: FoundTable.Column
  }

  /// The columns of attributes, in the order of the record.
  func stored(_ entity: CoreDataStore.Entity) -> [Stored] {
    func stored(_ property: CoreDataModel.Property, _ path: String) -> [Stored] {
      guard let attribute = property.attribute, !property.isTransient else { return [] }
      if !attribute.parts.isEmpty { return attribute.parts.flatMap { stored($0, "\(path).\($0.name)") } }
      guard let type = CoreDataType(attribute), let column = found(path, in: entity) else { return [] }
      return [Stored(member: .attribute(path), property: property, type: type, column: column)]
    }
    return entity.properties.flatMap { stored($0, $0.name) }
  }

  /// The column of a property of the entity, or of one that it inherits.
  func found(_ path: String, in entity: CoreDataStore.Entity, _ role: CoreDataColumns.Role = .value) -> FoundTable
    .Column?
  {
    if case .found(let column)? = column(path, in: entity, role) { column } else { nil }
  }

  func column(
    _ path: String, in entity: CoreDataStore.Entity, _ role: CoreDataColumns.Role = .value
  ) -> CoreDataColumns.Column? {
    let owner = store.owner(of: String(path.prefix { $0 != "." }), in: entity)
    return columns[CoreDataColumns.Place(entity: owner.name, property: path, role: role)]
  }

  /// Reads all rows of an entity once, since a single NULL makes a property optional.
  private mutating func readFacts(of entity: CoreDataStore.Entity, _ db: Database) throws {
    var tested = stored(entity).map { (column: $0.column.name, reads: $0.type.reads($0.column.name.quotedIdentifier)) }
    for property in entity.properties where property.relationship?.isToMany == false {
      if let column = found(property.name, in: entity) { tested.append((column.name, "1")) }
    }
    // SQLite returns at most 2,000 columns.
    for start in stride(from: 0, to: tested.count, by: 500) {
      let part = tested[start..<min(start + 500, tested.count)]
      let terms = part.map {
        "max(\($0.column.quotedIdentifier) IS NULL), max(\($0.column.quotedIdentifier) NOT NULL AND NOT (\($0.reads)))"
      }
      let rows =
        "FROM \(entity.table.name.quotedIdentifier)"
        + (entity.parent == nil ? "" : " WHERE Z_ENT IN (\(entity.family.sqlList))")
      guard let row = try Row.fetchOne(db, sql: "SELECT \(terms.joined(separator: ", ")) \(rows)") else { continue }
      for (index, test) in part.enumerated() {
        if (row[2 * index] as Int?) == 1 { nullable[entity.name, default: []].insert(test.column) }
        if (row[2 * index + 1] as Int?) == 1 { unfit[entity.name, default: []].insert(test.column) }
      }
    }
  }

  func hasNull(_ column: FoundTable.Column, in entity: CoreDataStore.Entity) -> Bool {
    nullable[entity.name]?.contains(column.name) == true
  }

  // MARK: Entities

  private mutating func record(of entity: CoreDataStore.Entity) -> RecordPlan.Record {
    let name = names.type(entity.name)
    let isRoot = entity.parent == nil
    let hasKinds = store.entity(entity.root)?.family.count ?? 1 > 1
    var lines = ["@PrimaryKey @Stored(\"Z_PK\") var \(CoreDataNames.objectID): Int64"]
    var properties: [FoldedName: String] = ["Z_PK".folded: CoreDataNames.objectID]
    if hasKinds {
      lines.append("@Stored(\"Z_ENT\") var \(CoreDataNames.entity): Int")
      properties["Z_ENT".folded] = CoreDataNames.entity
    }
    for stored in stored(entity) {
      lines += attribute(stored, in: entity)
      properties[stored.column.name.folded] = names.member(stored.member, of: entity.name)
    }
    var associations: [String] = []
    for property in entity.properties {
      if let relationship = property.relationship {
        let result = self.relationship(property, relationship, in: entity)
        lines += result.columns
        associations += result.associations
        if !relationship.isToMany, let column = found(property.name, in: entity) {
          properties[column.name.folded] = names.member(.key(property.name), of: entity.name)
        }
      } else {
        lines += leftOut(property, property.name, in: entity)
      }
    }
    lines += keysOfOwners(in: entity)
    lines += associations
    var comments = entity.isAbstract ? ["The entity is abstract: its rows belong to sub-entities."] : []
    var attribute = "@Record(view: \(entity.table.name.swiftLiteral))"
    if isRoot {
      let (indexes, others) = indexes(of: entity, properties)
      comments += others
      attribute =
        "@Record(\(entity.table.name.swiftLiteral)"
        + (indexes.isEmpty ? ")" : ", indexes: [\(indexes.joined(separator: ", "))])")
    } else {
      let numbers = entity.family
      let condition = numbers.count == 1 ? "== \(numbers[0])" : "\(numbers)"
      lines.append(
        "static let defaultScope = Condition<\(name)> { $0.\(CoreDataNames.entity)"
          + (numbers.count == 1 ? " \(condition) }" : ".in(\(condition)) }"))
      comments.append("The sub-entity of \(names.type(entity.parent ?? "")) with the number \(entity.number).")
    }
    return RecordPlan.Record(name: name, comments: comments, attribute: attribute, lines: lines)
  }

  private mutating func attribute(_ stored: Stored, in entity: CoreDataStore.Entity) -> [String] {
    let (property, column) = (stored.property, stored.column)
    let member = names.member(stored.member, of: entity.name)
    var type = stored.type.found
    var comments: [String] = []
    let attribute = property.attribute
    switch stored.type {
    case .transformable:
      comments.append("Transformable by \(attribute?.transformer ?? "a class"): the bytes as they are stored.")
    case .codable: comments.append("Codable as \(attribute?.transformer ?? "a type"): the bytes as they are stored.")
    case .binary where attribute?.isExternal == true:
      comments.append(
        "After a byte 1 come the bytes; after a byte 2, the name of a file in the folder _EXTERNAL_DATA of the hidden folder _SUPPORT beside the store."
      )
    default: break
    }
    if let derivation = attribute?.derivation { comments.append("Derived by Core Data: \(derivation).") }
    if property.isValidated { comments.append("Core Data validates the values by predicates of the model.") }
    if let note = type.note { comments.append(note.capitalizedFirst + ".") }
    if unfit[entity.name]?.contains(column.name) == true {
      let text =
        "holds values of another type than \(type.swift): give the property a type and a ColumnCoding of your own"
      notes.append("\(entity.name).\(property.name): \(text)")
      comments.append(text.capitalizedFirst + ".")
      type = FoundType("StorageValue", nil, .blob)
    }
    let isOptional = property.isOptional || hasNull(column, in: entity)
    if !property.isOptional, isOptional { comments.append("Not optional in the model, and NULL in some rows.") }
    let coding = type.coding.map { ", as: \($0)" } ?? ""
    var line =
      "@Stored(\(column.name.swiftLiteral)\(coding)) var \(SwiftName.quoted(member)): \(type.swift)\(isOptional ? "?" : "")"
    if type.swift != "StorageValue", let literal = stored.type.literal(attribute?.defaultValue) {
      line += " = \(literal)"
    }
    return comments.map { "// \($0.printable)" } + [line]
  }

  /// Returns a comment on each part of a property that has no column, and on none that has one.
  mutating func leftOut(_ property: CoreDataModel.Property, _ path: String, in entity: CoreDataStore.Entity) -> [String]
  {
    if property.isTransient, property.attribute != nil {
      return ["// \(path.printable) is transient, and has no column."]
    }
    switch property.kind {
    case .relationship: return ["// \(path.printable) is transient, and has no column."]
    case .other("NSFetchedPropertyDescription"):
      return ["// \(path.printable) is a fetched property, and has no column: write a query."]
    case .other(let kind): return leftOut(path, because: "it is a property of the unknown kind \(kind)", in: entity)
    case .attribute(let attribute):
      if !attribute.parts.isEmpty { return attribute.parts.flatMap { leftOut($0, "\(path).\($0.name)", in: entity) } }
      guard CoreDataType(attribute) != nil else {
        return leftOut(path, because: "its type has the unknown number \(attribute.type)", in: entity)
      }
      return leftOut(path, column(path, in: entity), in: entity)
    }
  }

  mutating func leftOut(
    _ path: String, _ column: CoreDataColumns.Column?, in entity: CoreDataStore.Entity
  ) -> [String] {
    switch column {
    case .found?: []
    case .refused(let reason)?: leftOut(path, because: reason, in: entity)
    case nil: leftOut(path, because: "no column is known", in: entity)
    }
  }

  mutating func leftOut(_ path: String, because reason: String, in entity: CoreDataStore.Entity) -> [String] {
    let text = "\(path) is left out: \(reason)"
    // An inherited property was named for the parent.
    if entity.own.contains(where: { $0.name == path.prefix { $0 != "." } }) { notes.append("\(entity.name).\(text)") }
    return ["// \(text.printable)."]
  }

  // MARK: Indexes

  /// Returns the indexes that the attribute declares, and comments on the other indexes.
  func indexes(
    of entity: CoreDataStore.Entity, _ properties: [FoldedName: String]
  ) -> (declared: [String], comments: [String]) {
    var (declared, comments): ([String], [String]) = ([], [])
    for index in entity.table.indexes where !index.isKey {
      // Core Data itself makes an index for each to-one relationship, as a store does for each reference.
      if !index.isUnique, index.name.hasSuffix("_INDEX"), index.terms.count == 1 { continue }
      if let declaration = entity.table.declaration(of: index, property: { properties[$0.folded] }) {
        declared.append(declaration)
      } else {
        comments.append(index.comment)
      }
    }
    return (declared, comments)
  }
}

extension RecordPlan.Record {
  init(name: String, comments: [String], attribute: String, lines: [String]) {
    let text = comments.map { "// \($0)" } + [attribute, "struct \(name) {"] + lines.map { "  " + $0 } + ["}"]
    self.init(name: name, text: text.joined(separator: "\n") + "\n")
  }
}
