extension CoreDataModel {
  /// Reads an archived NSManagedObjectModel.
  ///
  /// - Parameter archive: A binary property list.
  /// - Throws: ``ArchiveError``.
  init(archive: [UInt8]) throws(ArchiveError) {
    var reader = ModelReader()
    entities = try reader.entities(of: KeyedArchive(archive).root()).sorted { $0.name < $1.name }
    for entity in entities {
      var (ancestor, depth) = (entity.superentity, 0)
      while let name = ancestor {
        depth += 1
        guard depth <= entities.count, let parent = self.entity(name) else {
          throw ArchiveError("the parents of its entity \(entity.name) form a cycle, or are missing")
        }
        ancestor = parent.superentity
      }
    }
  }
}

/// Translates the objects of an archive to a model.
private struct ModelReader {
  typealias Object = KeyedArchive.Object

  /// The number of properties and expressions that may still be read. Objects may refer to each other in a cycle.
  private var budget = 100_000

  private mutating func spend() throws(ArchiveError) {
    if budget == 0 { throw ArchiveError("its model has a cycle, or more than 100,000 properties") }
    budget -= 1
  }

  mutating func entities(of model: Object) throws(ArchiveError) -> [CoreDataModel.Entity] {
    guard try model.classNames().contains("NSManagedObjectModel"), let objects = try model.field("NSEntities") else {
      throw ArchiveError("its archive has no model")
    }
    var entities: [CoreDataModel.Entity] = []
    for (name, object) in try objects.entries() {
      var properties: [CoreDataModel.Property] = []
      for (name, property) in try object.field("NSProperties")?.entries() ?? [] {
        properties.append(try self.property(name, property))
      }
      entities.append(
        CoreDataModel.Entity(
          name: name, formerName: try object.text("NSRenamingIdentifier"),
          superentity: try object.field("NSSuperentity")?.text("NSEntityName"),
          isAbstract: try object.flag("NSIsAbstract"), properties: properties.sorted { $0.name < $1.name }))
    }
    return entities
  }

  private mutating func property(_ name: String, _ object: Object, depth: Int = 0) throws(ArchiveError)
    -> CoreDataModel.Property
  {
    try spend()
    if depth > 16 { throw ArchiveError("its composite attribute \(name) contains itself") }
    let classes = try object.classNames()
    let kind: CoreDataModel.Kind =
      if classes.contains("NSAttributeDescription") {
        .attribute(try attribute(object, depth: depth))
      } else if classes.contains("NSRelationshipDescription") {
        .relationship(try relationship(name, object))
      } else {
        .other(classes.first ?? "without a class")
      }
    return CoreDataModel.Property(
      name: name, formerName: try object.text("NSRenamingIdentifier"), isOptional: try object.flag("NSIsOptional"),
      isTransient: try object.flag("NSIsTransient"),
      isValidated: try object.field("NSValidationPredicates") != nil, kind: kind)
  }

  private mutating func attribute(_ object: Object, depth: Int) throws(ArchiveError) -> CoreDataModel.Attribute {
    guard let type = try object.integer("NSAttributeType") else {
      throw ArchiveError("its archive has an attribute without a type")
    }
    var attribute = CoreDataModel.Attribute(type: type, defaultValue: try object.field("NSDefaultValue")?.value)
    let className = try object.text("NSAttributeValueClassName")
    attribute.transformer = try object.text("NSValueTransformerName") ?? className
    // The flag of binary data that may be stored outside.
    attribute.isExternal = (try object.integer("NSFlagsKey") ?? 0) & 4 != 0
    if let expression = try object.field("NSDerivationExpression") {
      attribute.derivation = try text(of: expression)
    }
    for part in try object.field("NSCompositeElements")?.elements() ?? [] {
      guard let name = try part.text("NSPropertyName") else {
        throw ArchiveError("its archive has a property without a name")
      }
      attribute.parts.append(try property(name, part, depth: depth + 1))
    }
    return attribute
  }

  private func relationship(_ name: String, _ object: Object) throws(ArchiveError) -> CoreDataModel.Relationship {
    // Each name is also in the object, which an archive may refer to in place of the name.
    let destinations = [
      try object.text("_NSDestinationEntityName"), try object.field("NSDestinationEntity")?.text("NSEntityName"),
    ]
    let inverses = [
      try object.text("_NSInverseRelationshipName"), try object.field("NSInverseRelationship")?.text("NSPropertyName"),
    ]
    guard let destination = destinations.compactMap({ $0 }).first,
      let rule = CoreDataModel.DeleteRule(rawValue: try object.integer("NSDeleteRule") ?? 1)
    else { throw ArchiveError("its relationship \(name) has no destination, or an unknown delete rule") }
    return CoreDataModel.Relationship(
      destination: destination, inverse: inverses.compactMap { $0 }.first, deleteRule: rule,
      // A greatest number of 0 or -1 means any number.
      isToMany: try object.integer("NSMaxCount") ?? 1 != 1, isOrdered: try object.flag("NSIsOrdered"))
  }

  /// The text of an NSExpression, as far as key paths and functions.
  private mutating func text(of expression: Object, depth: Int = 0) throws(ArchiveError) -> String {
    try spend()
    if depth > 16 { throw ArchiveError("its archive has an expression that contains itself") }
    if let path = try expression.text("NSKeyPath") { return path }
    guard let selector = try expression.text("NSSelectorName") else { return "…" }
    var arguments: [String] = []
    for argument in try expression.field("NSArguments")?.elements() ?? [] {
      arguments.append(try text(of: argument, depth: depth + 1))
    }
    if selector.hasPrefix("valueForKey") { return arguments.joined(separator: ".") }
    return "\(selector.prefix { $0 != ":" })(\(arguments.joined(separator: ", ")))"
  }
}
