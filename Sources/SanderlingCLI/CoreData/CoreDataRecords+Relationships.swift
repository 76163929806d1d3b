import Sanderling
import SanderlingSQL

extension CoreDataRecords {
  /// Returns the properties with the keys of a relationship, and its associations.
  mutating func relationship(
    _ property: CoreDataModel.Property, _ relationship: CoreDataModel.Relationship, in entity: CoreDataStore.Entity
  ) -> (columns: [String], associations: [String]) {
    guard let destination = store.entity(relationship.destination) else {
      return (
        leftOut(property.name, because: "its destination \(relationship.destination) isn't in this store", in: entity),
        []
      )
    }
    let type = names.type(destination.name)
    let association = SwiftName.quoted(names.member(.association(property.name), of: entity.name))
    let inverse = relationship.inverse.flatMap { destination.property($0) }
    guard relationship.isToMany else {
      guard let column = found(property.name, in: entity) else {
        return (leftOut(property.name, self.column(property.name, in: entity), in: entity), [])
      }
      let key = names.member(.key(property.name), of: entity.name)
      let isOptional = property.isOptional || hasNull(column, in: entity)
      var lines = [
        reference(column, key, in: entity, to: destination, isOptional, rule: inverse?.relationship?.deleteRule)
      ]
      if let order = found(property.name, in: entity, .order) {
        let member = names.member(.order(property.name), of: entity.name)
        lines.append(orderProperty(order, member))
      }
      var associations = ["static let \(association) = belongsTo(\(type).self, by: \\.\(SwiftName.quoted(key)))"]
      // A one-to-one relationship's own rule is that of the other side's reference.
      if inverse?.relationship?.isToMany != false, let comment = comment(on: relationship.deleteRule) {
        associations.insert(comment, at: 0)
      }
      return (lines, associations)
    }
    let owner = store.owner(of: property.name, in: entity)
    if let link = links.first(where: { $0.side(owner.name, property.name) != nil }),
      let side = link.side(owner.name, property.name)
    {
      let middle = SwiftName.quoted(names.member(.links(property.name), of: entity.name))
      let members = LinkMembers(link, names)
      var lines = [
        "static let \(middle) = hasMany(\(names.type(link)).self, by: \\.\(members.keys[side]))",
        "static let \(association) = hasMany(\(type).self, through: \(middle), using: \(names.type(link)).\(members.associations[1 - side]))",
      ]
      if let order = members.orders[side] { lines.insert("// Ordered by \(names.type(link)).\(order).", at: 0) }
      if relationship.deleteRule == .cascade {
        lines.insert("// Core Data deletes these together with the record.", at: 0)
      }
      return ([], lines)
    }
    if let inverse, inverse.relationship?.isToMany == false, found(inverse.name, in: destination) != nil {
      let key = names.member(.key(inverse.name), of: destination.name)
      let order = found(inverse.name, in: destination, .order).map { _ in
        names.member(.order(inverse.name), of: destination.name)
      }
      return ([], toMany(association, type, key, order))
    }
    if relationship.inverse == nil, found(property.name, in: entity) != nil {
      let key = names.member(.owner(owner.name, relationship: property.name), of: destination.name)
      let order = found(property.name, in: entity, .order).map { _ in
        names.member(.ownersOrder(owner.name, relationship: property.name), of: destination.name)
      }
      return ([], toMany(association, type, key, order))
    }
    let reason =
      inverse?.name == property.name && destination.name == owner.name
      ? "it is its own inverse, which Core Data stores in a way that isn't certain"
      : "no table or column is certain to hold it"
    return (leftOut(property.name, because: reason, in: entity), [])
  }

  private func toMany(_ association: String, _ type: String, _ key: String, _ order: String?) -> [String] {
    (order.map { ["// Ordered by \(type).\($0)."] } ?? [])
      + ["static let \(association) = hasMany(\(type).self, by: \\.\(SwiftName.quoted(key)))"]
  }

  /// The keys of the owners of to-many relationships without an inverse.
  func keysOfOwners(in entity: CoreDataStore.Entity) -> [String] {
    var lines: [String] = []
    for (owner, property, relationship) in store.relationshipsWithoutInverse {
      guard store.entity(relationship.destination)?.family.contains(entity.number) == true,
        let column = found(property.name, in: owner)
      else { continue }
      let key = names.member(.owner(owner.name, relationship: property.name), of: entity.name)
      lines.append("// The inverse of \(names.type(owner.name)).\(property.name), which has no name in the model.")
      lines.append(reference(column, key, in: entity, to: owner, true, rule: relationship.deleteRule))
      if let order = found(property.name, in: owner, .order) {
        let member = names.member(.ownersOrder(owner.name, relationship: property.name), of: entity.name)
        lines.append(orderProperty(order, member))
      }
    }
    return lines
  }

  /// The property that holds the order of a row in a relationship.
  private func orderProperty(_ column: FoundTable.Column, _ member: String) -> String {
    "@Stored(\(column.name.swiftLiteral)) var \(SwiftName.quoted(member)): Int?"
  }

  /// Returns the property that holds a key. A foreign key leads to the record that stores the table. Records that only
  /// read their table declare none.
  private func reference(
    _ column: FoundTable.Column, _ member: String, in entity: CoreDataStore.Entity,
    to destination: CoreDataStore.Entity,
    _ isOptional: Bool, rule: CoreDataModel.DeleteRule?
  ) -> String {
    let declaration = "var \(SwiftName.quoted(member)): Int64\(isOptional ? "?" : "")"
    let stored = "@Stored(\(column.name.swiftLiteral))"
    if entity.parent != nil { return "\(stored) \(declaration)" }
    return "\(stored) \(foreignKey(to: destination, isOptional, rule)) \(declaration)"
  }

  /// Returns the attribute of a foreign key. A foreign key leads to the record that stores the table.
  func foreignKey(
    to destination: CoreDataStore.Entity, _ isOptional: Bool, _ rule: CoreDataModel.DeleteRule?
  ) -> String {
    let action =
      switch rule {
      case nil, .noAction?: ""
      // Core Data sets a required key to NULL, and then refuses to save it.
      case .nullify?: isOptional ? ", onDelete: .setNull" : ", onDelete: .restrict"
      case .cascade?: ", onDelete: .cascade"
      case .deny?: ", onDelete: .restrict"
      }
    return "@References(\(names.type(destination.root)).self\(action))"
  }

  private func comment(on rule: CoreDataModel.DeleteRule) -> String? {
    switch rule {
    case .cascade: "// Core Data deletes it together with the record."
    case .deny: "// Core Data deletes no record that has it."
    case .noAction, .nullify: nil
    }
  }
}
