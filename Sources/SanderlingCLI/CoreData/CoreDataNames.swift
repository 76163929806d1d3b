import SanderlingTerminal

/// The Swift names of a store's entities and properties: the developer's own, except for names that Swift or a record
/// needs.
struct CoreDataNames {
  /// A member of a record.
  enum Member: Hashable {
    /// An attribute, or a part of a composite one: `address.city`.
    case attribute(String)
    case association(String)
    /// The key of a to-one relationship's destination.
    case key(String)
    /// The order among the destinations of the inverse.
    case order(String)
    /// The association to the records between both sides of a many-to-many relationship.
    case links(String)
    /// The key of the owner of a to-many relationship without an inverse, and the order for it.
    case owner(String, relationship: String)
    case ownersOrder(String, relationship: String)
  }

  static let objectID = "objectID"
  static let entity = "entity"

  private var types: [String: String] = [:]
  private var members: [String: [Member: String]] = [:]
  private var links: [String: String] = [:]

  /// The names of a record's own properties and static members. An association is a static member.
  private static let reserved: Set<String> = [objectID, entity, "key"]
  static let reservedOfAssociations: Set<String> = [
    "key", "table", "indexes", "fields", "query", "unscoped", "defaultScope", "changeHistory", "hasMany", "belongsTo",
  ]

  init(_ store: CoreDataStore, _ links: [CoreDataLink]) {
    var takenTypes: Set<String> = []
    for entity in store.entities { types[entity.name] = SwiftName.type(ofEntity: entity.name, &takenTypes) }
    for link in links {
      let side = link.sides[0]
      self.links[link.table.name] = SwiftName.type(
        ofEntity: "\(side.entity)\(side.relationship.name.capitalizedFirst)Link", &takenTypes)
    }
    for entity in store.entities {
      members[entity.name] = Self.members(
        of: entity, store, types: Set(types.values), parent: entity.parent.flatMap { members[$0] })
    }
  }

  func type(_ entity: String) -> String { types[entity] ?? entity }
  func type(_ link: CoreDataLink) -> String { links[link.table.name] ?? link.table.name }
  /// All names of an entity's members.
  func members(of entity: String) -> [String] { (members[entity] ?? [:]).values.sorted() }

  /// The names of an entity's associations.
  func associations(of entity: String) -> [String] {
    (members[entity] ?? [:]).filter { member, _ in
      switch member {
      case .association, .links: true
      default: false
      }
    }.values.sorted()
  }

  func member(_ member: Member, of entity: String) -> String { members[entity]?[member] ?? "" }

  private static func members(
    of entity: CoreDataStore.Entity, _ store: CoreDataStore, types: Set<String>, parent: [Member: String]?
  ) -> [Member: String] {
    var names = parent ?? [:]
    var taken = reserved.union(types).union(names.values)
    func add(_ member: Member, _ name: String, besides others: Set<String> = []) {
      var all = taken.union(others)
      names[member] = SwiftName.member(name, &all)
      if let name = names[member] { taken.insert(name) }
    }
    func addAttributes(_ property: CoreDataModel.Property, _ path: String, _ name: String) {
      guard let parts = property.attribute?.parts, !parts.isEmpty else { return add(.attribute(path), name) }
      for part in parts { addAttributes(part, "\(path).\(part.name)", name + part.name.capitalizedFirst) }
    }
    // The developer's own names come first.
    for property in entity.own {
      switch property.kind {
      case .attribute: addAttributes(property, property.name, property.name)
      case .relationship: add(.association(property.name), property.name, besides: reservedOfAssociations)
      case .other: break
      }
    }
    for property in entity.own {
      guard let relationship = property.relationship else { continue }
      if relationship.isToMany {
        add(.links(property.name), "\(property.name)Links")
      } else {
        add(.key(property.name), "\(property.name)ID")
        add(.order(property.name), "\(property.name)Order")
      }
    }
    for (owner, property, relationship) in store.relationshipsWithoutInverse
    where relationship.destination == entity.name {
      let name = owner.name.withSmallBeginning
      add(.owner(owner.name, relationship: property.name), "\(name)ID")
      add(.ownersOrder(owner.name, relationship: property.name), "\(name)Order")
    }
    return names
  }
}

extension String {
  /// The name of a type as that of a value: `URLRequest` becomes `urlRequest`.
  var withSmallBeginning: String { SwiftName.table(of: self) }
}
