import GRDB
import SanderlingSQL

/// The columns of a store's properties.
///
/// All entities of a family share a table. Core Data names the columns of the root first and then those of the
/// sub-entities, in the order of their numbers. In an entity, attributes by name come before relationships. If a name is
/// taken, Core Data appends 1, 2 and so on: Apple's Notes have ZTITLE, ZTITLE1 and ZTITLE2.
///
/// The names follow from this rule, and each name is compared with the table's column: with its declared type, and a
/// numbered name with the rows.
struct CoreDataColumns {
  /// A property that may have a column.
  struct Place: Hashable {
    /// The topmost entity with the property.
    let entity: String
    /// The name of the property; `address.city` for a part of a composite attribute.
    let property: String
    var role = Role.value
  }

  enum Role {
    case value
    /// The place of a row in an ordered relationship.
    case order
  }

  enum Column {
    case found(FoundTable.Column)
    /// The reason why no column is certain, as a clause.
    case refused(String)
  }

  private struct Claim {
    let place: Place
    let base: String
    let name: String
    /// The name that the column has if it is that of an earlier model.
    let former: String?
    let affinity: Affinity
    /// The entities whose rows have values.
    let family: [Int]
    var isOfAttribute = false
  }

  private var columns: [Place: Column] = [:]
  private var claims: [Claim] = []
  private var counters: [String: Int] = [:]

  subscript(place: Place) -> Column? { columns[place] }

  init(_ store: CoreDataStore, _ db: Database) throws {
    for root in store.entities where root.parent == nil {
      (claims, counters) = ([], [:])
      let family = store.entities.filter { $0.root == root.name }
      for entity in family {
        for property in entity.own { claimAttributes(property, property.name, entity) }
        for property in entity.own {
          guard let relationship = property.relationship, !relationship.isToMany else { continue }
          claim(
            Place(entity: entity.name, property: property.name), "Z\(property.name.uppercased())", .integer,
            entity.family, former: property.formerName.map { "Z\($0.uppercased())" })
          if let destination = store.entity(relationship.destination), destination.family.count > 1 {
            _ = unique("Z\(destination.number)_\(property.name.uppercased())")
          }
        }
      }
      for entity in family { claimOrdersAndInverses(entity, store) }
      for claim in claims { columns[claim.place] = try column(of: claim, in: root.table, db) }
    }
  }

  private mutating func claimAttributes(
    _ property: CoreDataModel.Property, _ path: String, _ entity: CoreDataStore.Entity
  ) {
    guard let attribute = property.attribute, !property.isTransient else { return }
    for part in attribute.parts { claimAttributes(part, "\(path).\(part.name)", entity) }
    guard let type = CoreDataType(attribute), attribute.parts.isEmpty else { return }
    claim(
      Place(entity: entity.name, property: path), Self.name(of: property.name), type.affinity, entity.family,
      former: property.formerName.map(Self.name), isOfAttribute: true)
  }

  /// The column of an attribute. Core Data takes the capital of each character alone.
  private static func name(of attribute: String) -> String {
    "Z" + attribute.map { $0.uppercased().count == 1 ? $0.uppercased() : String($0) }.joined()
  }

  private mutating func claimOrdersAndInverses(_ entity: CoreDataStore.Entity, _ store: CoreDataStore) {
    for property in entity.own {
      guard let relationship = property.relationship, !relationship.isToMany, let name = relationship.inverse,
        store.entity(relationship.destination)?.property(name)?.relationship?.isOrdered == true
      else { continue }
      claim(
        Place(entity: entity.name, property: property.name, role: .order), "Z_FOK_\(property.name.uppercased())",
        .integer,
        entity.family)
    }
    for (owner, property, relationship) in store.relationshipsWithoutInverse
    where relationship.destination == entity.name {
      let name = "\(owner.number)\(property.name.uppercased())"
      let place = Place(entity: owner.name, property: property.name)
      claim(place, "Z\(name)", .integer, entity.family)
      if relationship.isOrdered {
        claim(
          Place(entity: owner.name, property: property.name, role: .order), "Z_FOK_\(name)", .integer, entity.family)
      }
    }
  }

  private mutating func claim(
    _ place: Place, _ base: String, _ affinity: Affinity, _ family: [Int], former: String? = nil,
    isOfAttribute: Bool = false
  ) {
    claims.append(
      Claim(
        place: place, base: base, name: unique(base), former: former, affinity: affinity, family: family,
        isOfAttribute: isOfAttribute))
  }

  private mutating func unique(_ base: String) -> String {
    guard var number = counters[base] else {
      counters[base] = 0
      return base
    }
    repeat { number += 1 } while counters["\(base)\(number)"] != nil
    counters[base] = number
    return "\(base)\(number)"
  }

  private func column(of claim: Claim, in table: FoundTable, _ db: Database) throws -> Column {
    let former = claim.former.flatMap { name in claims.contains { $0.name == name } ? nil : table.column(name) }
    guard let column = table.column(claim.name) ?? former else {
      return .refused("there is no column \(claim.name) in \(table.name)")
    }
    guard column.definition.affinity == claim.affinity else {
      return .refused("the column \(claim.name) in \(table.name) is declared \(column.type), which is another type")
    }
    let rivals = claims.filter { $0.base == claim.base && $0.place != claim.place }
    if rivals.isEmpty { return .found(column) }
    if let rival = rivals.first(where: { $0.place.entity == claim.place.entity && $0.affinity == claim.affinity }),
      !isInOrder(claim, column, table)
    {
      return .refused("\(claim.name) in \(table.name) could be its column or that of \(rival.place.property)")
    }
    let others =
      "SELECT 1 FROM \(table.name.quotedIdentifier) WHERE Z_ENT NOT IN (\(claim.family.sqlList)) AND \(column.name.quotedIdentifier) NOT NULL"
    if try Bool.fetchOne(db, sql: "SELECT EXISTS(\(others))") == true {
      return .refused("\(claim.name) in \(table.name) has values in rows of other entities")
    }
    return .found(column)
  }

  /// Whether the columns of the entity's attributes with a type have the order of the attributes' names in the table. Then
  /// Core Data numbered them in this order.
  private func isInOrder(_ claim: Claim, _ column: FoundTable.Column, _ table: FoundTable) -> Bool {
    let places = claims.filter { $0.place.entity == claim.place.entity && $0.isOfAttribute }.compactMap { claim in
      table.columns.firstIndex { $0.name.folded == claim.name.folded && $0.type == column.type }
    }
    return claim.isOfAttribute && places == places.sorted()
  }
}
