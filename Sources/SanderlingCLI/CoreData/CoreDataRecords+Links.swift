import SanderlingSQL

extension CoreDataRecords {
  /// The names of the members of the record between both sides.
  struct LinkMembers {
    let keys: [String]
    let associations: [String]
    let orders: [String?]

    init(_ link: CoreDataLink, _ names: CoreDataNames) {
      var taken = CoreDataNames.reservedOfAssociations
      let isLoop = link.sides[0].entity == link.sides[1].entity
      // Between two objects of one entity, the relationships tell which is which.
      let bases = isLoop ? link.sides.reversed().map(\.relationship.name) : link.sides.map(\.entity.withSmallBeginning)
      let associations = bases.map { SwiftName.member($0, &taken) }
      let keys = bases.map { SwiftName.member("\($0)ID", &taken) }
      let orders = link.sides.map { side in
        side.order.map { _ in SwiftName.member("\(side.relationship.name)Order", &taken) }
      }
      self.associations = associations.map(SwiftName.quoted)
      self.keys = keys.map(SwiftName.quoted)
      self.orders = orders
    }
  }

  func record(of link: CoreDataLink) -> RecordPlan.Record {
    let members = LinkMembers(link, names)
    var lines: [String] = []
    for (index, side) in link.sides.enumerated() {
      let entity = store.entity(side.entity)
      let action = side.relationship.relationship?.deleteRule == .deny ? ".restrict" : ".cascade"
      lines.append(
        "@PrimaryKey @Stored(\(side.column.swiftLiteral)) "
          + (link.hasKey ? "@References(\(names.type(entity?.root ?? side.entity)).self, onDelete: \(action)) " : "")
          + "var \(members.keys[index]): Int64")
    }
    for (order, side) in zip(members.orders, link.sides) {
      if let order, let column = side.order { lines.append("@Stored(\(column.swiftLiteral)) var \(order): Int?") }
    }
    for (index, side) in link.sides.enumerated() {
      lines.append(
        "static let \(members.associations[index]) = belongsTo(\(names.type(side.entity)).self, by: \\.\(members.keys[index]))"
      )
    }
    let table = link.table.name.swiftLiteral
    let attribute = link.hasKey ? "@Record(\(table), indexes: [.on(\\.\(members.keys[1]))])" : "@Record(view: \(table))"
    let sides = link.sides.map { "\(names.type($0.entity)).\($0.relationship.name)" }
    return RecordPlan.Record(
      name: names.type(link), comments: ["Between \(sides[0]) and \(sides[1])."], attribute: attribute, lines: lines)
  }
}
