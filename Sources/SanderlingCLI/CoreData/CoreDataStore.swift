import Foundation
import GRDB
import Sanderling
import SanderlingSQL

/// A store of Core Data or SwiftData: its entities, with their numbers and tables.
struct CoreDataStore {
  struct Entity {
    let number: Int
    let name: String
    /// The name in the store, which is that of an earlier model if the entity was renamed.
    let storedName: String
    /// The entity that it inherits from; nil for a root entity, which has a table of its own.
    let parent: String?
    /// The root of the entity's family. All entities of a family have one table.
    let root: String
    let isAbstract: Bool
    /// The numbers of the entity and of all below it.
    let family: [Int]
    let table: FoundTable
    /// The stored and unstored properties, inherited ones included.
    let properties: [CoreDataModel.Property]
    /// The number of inherited properties, which come first.
    let inheritedCount: Int

    var own: ArraySlice<CoreDataModel.Property> { properties.dropFirst(inheritedCount) }
    func property(_ name: String) -> CoreDataModel.Property? { properties.first { $0.name == name } }
  }

  /// Sorted by number: a parent comes before its sub-entities.
  let entities: [Entity]
  /// The tables of many-to-many relationships, and those that belong to no entity.
  let otherTables: [FoundTable]
  /// Whether the store has a model. Without one, names come from the columns.
  let hasModel: Bool
  /// Sentences about the parts of the store that are left out.
  let notes: [String]

  /// Core Data's own entities have numbers from here on.
  private static let firstSystemNumber = 16_000

  func entity(_ name: String) -> Entity? { entities.first { $0.name == name } }

  /// The topmost entity that has a property of the name.
  func owner(of property: String, in entity: Entity) -> Entity {
    var owner = entity
    while let parent = owner.parent.flatMap(self.entity), parent.property(property) != nil { owner = parent }
    return owner
  }

  /// The to-many relationships without an inverse, with their owners. Each has a column in the table of its destination.
  var relationshipsWithoutInverse: [(owner: Entity, property: CoreDataModel.Property, CoreDataModel.Relationship)] {
    entities.flatMap { owner in
      owner.own.compactMap { property in
        guard let relationship = property.relationship, relationship.isToMany, relationship.inverse == nil else {
          return nil
        }
        return (owner, property, relationship)
      }
    }
  }

  /// Whether a database is a store.
  static func isStore(_ db: Database) throws -> Bool {
    let reader = try SchemaReader(db)
    return ["Z_METADATA", "Z_PRIMARYKEY"].allSatisfy { reader.object(named: $0)?.type == "table" }
  }

  /// Reads a store.
  ///
  /// - Parameter rows: The number of rows to read of each table for their values, if the store has no model.
  /// - Throws: ``CoreDataError``, and errors of the database.
  init(_ db: Database, path: String, rows: Int) throws {
    let version = try Int.fetchOne(db, sql: "SELECT max(Z_VERSION) FROM Z_METADATA") ?? 0
    if version != 1 { throw CoreDataError.unknownVersion(path, version) }
    let rowsOfEntities = try Row.fetchAll(
      db, sql: "SELECT Z_ENT, Z_NAME, coalesce(Z_SUPER, 0) FROM Z_PRIMARYKEY WHERE Z_ENT < ? ORDER BY Z_ENT",
      arguments: [Self.firstSystemNumber]
    ).map { (number: $0[0] as Int, name: $0[1] as String? ?? "", parent: $0[2] as Int) }

    let model = try Self.model(db, path: path)
    let schema = try FoundSchema(db, rows: model == nil ? rows : 0)
    let numbers = Dictionary(rowsOfEntities.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
    var notes = schema.unusable.map(\.sentence)
    var entities: [Entity] = []
    for row in rowsOfEntities {
      var (root, depth) = (row, 0)
      while let parent = numbers[root.parent], depth < numbers.count { (root, depth) = (parent, depth + 1) }
      let roots = [root.name, model?.entity(formerly: root.name)?.name ?? root.name]
      let tables = roots.compactMap { name in
        schema.tables.first { $0.name.folded == "Z\(name.uppercased())".folded }
      }
      guard let table = tables.first else {
        throw CoreDataError.otherModel(path, reason: "there is no table for the entity \(row.name)")
      }
      let parent = numbers[row.parent].flatMap { parent in entities.first { $0.number == parent.number } }
      guard row.parent == 0 || parent != nil else {
        throw CoreDataError.otherModel(path, reason: "the parent of the entity \(row.name) is missing")
      }
      let family = rowsOfEntities.filter { other in
        var (ancestor, depth) = (other, 0)
        while ancestor.number != row.number, let next = numbers[ancestor.parent], depth < numbers.count {
          (ancestor, depth) = (next, depth + 1)
        }
        return ancestor.number == row.number
      }.map(\.number)
      let described = model?.entity(formerly: row.name)
      let own: [CoreDataModel.Property]
      if model != nil {
        guard let entity = described, entity.superentity == parent?.name else {
          throw CoreDataError.otherModel(
            path, reason: "the model lacks the entity \(row.name), or has it below another")
        }
        own = entity.properties
      } else {
        own = CoreDataModel.properties(of: table)
      }
      let inherited = parent?.properties ?? []
      let new = own.filter { property in !inherited.contains { $0.name == property.name } }
      entities.append(
        Entity(
          number: row.number, name: described?.name ?? row.name, storedName: row.name, parent: parent?.name,
          root: model?.entity(formerly: root.name)?.name ?? root.name, isAbstract: described?.isAbstract ?? false,
          family: family, table: table,
          properties: inherited + new, inheritedCount: inherited.count))
    }
    for entity in model?.entities ?? [] where !entities.contains(where: { $0.name == entity.name }) {
      notes.append("the entity \(entity.name) of the model has no rows in this store, and is left out")
    }
    let claimed = Set(entities.map(\.table.name.folded) + ["Z_METADATA", "Z_PRIMARYKEY", "Z_MODELCACHE"].folded)
    let others = schema.tables.filter { !claimed.contains($0.name.folded) }
    let own = others.filter { $0.name.hasPrefix("A") && !$0.name.contains(where: \.isLowercase) }.map(\.name)
    if !own.isEmpty { notes.append("\(own.joined(separator: ", ")): Core Data's own tables, left out") }
    otherTables = others.filter { !own.contains($0.name) }
    (self.entities, self.notes, hasModel) = (entities, notes, model != nil)
  }
}

extension CoreDataStore {
  /// Reads the model from the cache; nil for a store without one.
  private static func model(_ db: Database, path: String) throws -> CoreDataModel? {
    guard try SchemaReader(db).object(named: "Z_MODELCACHE") != nil,
      let content = try Data.fetchOne(db, sql: "SELECT Z_CONTENT FROM Z_MODELCACHE ORDER BY rowid DESC LIMIT 1")
    else { return nil }
    do {
      return try CoreDataModel(archive: Inflation.content(of: Array(content)))
    } catch {
      throw CoreDataError.damagedModel(path, reason: error.reason)
    }
  }
}

extension CoreDataModel {
  /// The properties that columns show in a store without a model. The case of their letters is lost. All entities of a
  /// table have all of its columns.
  fileprivate static func properties(of table: FoundTable) -> [Property] {
    table.columns.compactMap { column in
      guard column.name.hasPrefix("Z"), column.name.dropFirst().first?.isLetter == true else { return nil }
      let type: CoreDataType =
        switch (column.definition.affinity, column.type.uppercased()) {
        case (.integer, _): .integer64
        case (.real, _): .double
        case (.text, _): .string
        case (.numeric, "TIMESTAMP"): .date
        case (.numeric, _): .decimal
        case (.blob, _): column.values.forms.contains(.uuidBlob) && column.values.count > 0 ? .uuid : .binary
        }
      return Property(name: column.name.dropFirst().lowercased(), kind: .attribute(Attribute(type: type.rawValue)))
    }
  }
}

extension [Int] {
  /// The numbers as a list in SQL and in Swift.
  var sqlList: String { map(String.init).joined(separator: ", ") }
}
