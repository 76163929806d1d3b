import SanderlingSQL

/// The table of a many-to-many relationship, with a row for each pair of objects.
struct CoreDataLink {
  struct Side {
    /// The topmost entity with the relationship.
    let entity: String
    let relationship: CoreDataModel.Property
    /// The column with the keys of the entity's objects.
    let column: String
    /// The column with the order of the objects that the relationship leads to; nil without an order.
    let order: String?
  }

  let table: FoundTable
  /// Two sides. The first one gives the table its name.
  let sides: [Side]

  func side(_ entity: String, _ relationship: String) -> Int? {
    sides.firstIndex { $0.entity == entity && $0.relationship.name == relationship }
  }

  /// Whether the table's key consists of both columns. Otherwise a record can only read it.
  var hasKey: Bool { Set(table.keyColumns.map(\.name)) == Set(sides.map(\.column)) }

  /// Finds the tables of a store.
  static func all(in store: CoreDataStore) -> [CoreDataLink] {
    store.entities.flatMap { entity in entity.own.compactMap { link(of: $0, in: entity, store) } }
  }

  /// The table of a relationship whose entity gives it its name; nil for other relationships, and where no table is
  /// certain.
  ///
  /// For the relationship `tags` of the entity 3 to the entity 7, whose inverse is `books`, Core Data makes the table
  /// Z_3TAGS with the columns Z_3BOOKS and Z_7TAGS. If `tags` is ordered, Z_FOK_7TAGS has the order.
  private static func link(
    of property: CoreDataModel.Property, in entity: CoreDataStore.Entity, _ store: CoreDataStore
  ) -> CoreDataLink? {
    guard let relationship = property.relationship, relationship.isToMany, let name = relationship.inverse,
      let destination = store.entity(relationship.destination), let inverse = destination.property(name),
      inverse.relationship?.isToMany == true
    else { return nil }
    let other = store.owner(of: name, in: destination)
    // A relationship that is its own inverse has a column REFLEXIVE, and no store at hand shows how it is used.
    guard other.name != entity.name || inverse.name != property.name,
      let table = store.otherTables.first(where: {
        $0.name.folded == "Z_\(entity.number)\(property.name.uppercased())".folded
      })
    else { return nil }
    let names = ["_\(entity.number)\(inverse.name.uppercased())", "_\(other.number)\(property.name.uppercased())"]
    let columns = names.map { column("Z\($0)", in: table) }
    guard let near = columns[0], let far = columns[1], near != far else { return nil }
    func order(_ name: String, _ property: CoreDataModel.Property) -> String? {
      property.relationship?.isOrdered == true ? column("Z_FOK\(name)", in: table) : nil
    }
    return CoreDataLink(
      table: table,
      sides: [
        Side(entity: entity.name, relationship: property, column: near, order: order(names[1], property)),
        Side(entity: other.name, relationship: inverse, column: far, order: order(names[0], inverse)),
      ])
  }

  /// Returns the column of a name, to which Core Data may have appended a number.
  private static func column(_ name: String, in table: FoundTable) -> String? {
    if let column = table.column(name) { return column.name }
    let numbered = table.columns.filter { column in
      column.name.hasPrefix(name) && column.name.dropFirst(name.count).allSatisfy(\.isNumber)
    }
    return numbered.count == 1 ? numbered[0].name : nil
  }
}
