/// The model of a store of Core Data or SwiftData, as its developer declared it.
struct CoreDataModel {
  struct Entity {
    let name: String
    /// The name in an earlier model. A migrated store may still have it.
    var formerName: String?
    let superentity: String?
    let isAbstract: Bool
    /// The properties, inherited ones included, sorted by name.
    let properties: [Property]
  }

  struct Property {
    let name: String
    /// The name in an earlier model. A migrated store may still have it.
    var formerName: String?
    var isOptional = true
    /// Whether the property isn't stored.
    var isTransient = false
    /// Whether Core Data checks values by predicates before it saves them.
    var isValidated = false
    let kind: Kind
  }

  enum Kind {
    case attribute(Attribute)
    case relationship(Relationship)
    /// A fetched property, or another kind without a column. The text is its class.
    case other(String)
  }

  struct Attribute {
    /// The number of the type in Core Data.
    let type: Int
    var defaultValue: BinaryPropertyList.Value?
    /// The name of a transformer, or of a value's class.
    var transformer: String?
    /// The expression that Core Data computes the attribute by.
    var derivation: String?
    /// Whether large values may be in files beside the store.
    var isExternal = false
    /// The parts of a composite attribute.
    var parts: [Property] = []
  }

  struct Relationship {
    let destination: String
    let inverse: String?
    let deleteRule: DeleteRule
    let isToMany: Bool
    var isOrdered = false
  }

  /// The fate of the destination when the owner of a relationship is deleted.
  enum DeleteRule: Int {
    case noAction, nullify, cascade, deny
  }

  /// Sorted by name.
  let entities: [Entity]

  func entity(_ name: String) -> Entity? { entities.first { $0.name == name } }

  /// The entity that has a name, or else had it in an earlier model.
  func entity(formerly name: String) -> Entity? { entity(name) ?? entities.first { $0.formerName == name } }
}

extension CoreDataModel.Property {
  var attribute: CoreDataModel.Attribute? {
    if case .attribute(let attribute) = kind { attribute } else { nil }
  }

  /// The relationship, if it is stored.
  var relationship: CoreDataModel.Relationship? {
    if case .relationship(let relationship) = kind, !isTransient { relationship } else { nil }
  }
}
