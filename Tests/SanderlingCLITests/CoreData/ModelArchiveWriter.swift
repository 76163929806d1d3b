import CZlib
import Foundation

@testable import SanderlingCLI

/// Writes models as Core Data archives them: a keyed archive as a binary property list.
final class ModelArchiveWriter {
  indirect enum Item {
    case bool(Bool)
    case integer(Int)
    case real(Double)
    case text(String)
    case identifier(Int)
    case array([Item])
    case dictionary([(String, Item)])
  }

  private var objects: [Item] = [.text("$null")]
  private var classes: [String: Item] = [:]

  /// The archive of a model.
  ///
  /// - Parameters:
  ///   - changes: Fields to replace in the objects of entities and properties, by `Entity` or `Entity.property`.
  static func archive(_ model: CoreDataModel, changes: [String: [(String, Item)]] = [:]) -> [UInt8] {
    let writer = ModelArchiveWriter()
    let root = writer.root(of: model, changes)
    return list(
      .dictionary([
        ("$version", .integer(100_000)), ("$archiver", .text("NSKeyedArchiver")),
        ("$top", .dictionary([("root", root)])), ("$objects", .array(writer.objects)),
      ]))
  }

  private func root(of model: CoreDataModel, _ changes: [String: [(String, Item)]]) -> Item {
    // Properties refer to entities, and entities to properties.
    let entities = Dictionary(uniqueKeysWithValues: model.entities.map { ($0.name, add(.integer(0))) })
    for entity in model.entities {
      guard case .identifier(let number)? = entities[entity.name] else { continue }
      var properties: [(String, Item)] = []
      var ancestor: CoreDataModel.Entity? = entity
      while let owner = ancestor {
        for property in owner.properties where !properties.contains(where: { $0.0 == property.name }) {
          properties.append(
            (
              property.name,
              object(property, of: entity.name, entities, changes["\(owner.name).\(property.name)"] ?? [])
            ))
        }
        ancestor = owner.superentity.flatMap { model.entity($0) }
      }
      var fields: [(String, Item)] = [
        ("NSEntityName", text(entity.name)), ("NSProperties", dictionary(properties)),
        ("NSSuperentity", entity.superentity.flatMap { entities[$0] } ?? .identifier(0)),
        ("$class", self.class("NSEntityDescription")),
      ]
      if let name = entity.formerName { fields.append(("NSRenamingIdentifier", text(name))) }
      if entity.isAbstract { fields.append(("NSIsAbstract", .bool(true))) }
      objects[number] = .dictionary(replaced(fields, changes[entity.name] ?? []))
    }
    // Core Data keeps the names of entities apart from the entities.
    let names = add(
      .dictionary([("keys", array(model.entities.map { text($0.name) })), ("length", .integer(model.entities.count))]))
    let all = add(
      .dictionary([
        ("searchMapping", names), ("values", array(model.entities.map { entities[$0.name] ?? .identifier(0) })),
      ]))
    return add(.dictionary([("NSEntities", all), ("$class", self.class("NSManagedObjectModel"))]))
  }

  private func object(
    _ property: CoreDataModel.Property, of entity: String, _ entities: [String: Item], _ changes: [(String, Item)]
  ) -> Item {
    var fields: [(String, Item)] = [
      ("NSPropertyName", text(property.name)), ("NSEntity", entities[entity] ?? .identifier(0)),
    ]
    if let name = property.formerName { fields.append(("NSRenamingIdentifier", text(name))) }
    if property.isOptional { fields.append(("NSIsOptional", .bool(true))) }
    if property.isTransient { fields.append(("NSIsTransient", .bool(true))) }
    if property.isValidated { fields.append(("NSValidationPredicates", array([]))) }
    switch property.kind {
    case .attribute(let attribute):
      fields += [
        ("NSAttributeType", .integer(attribute.type)), ("NSFlagsKey", .integer(attribute.isExternal ? 4 : 0)),
        ("NSValueTransformerName", attribute.transformer.map(text) ?? .identifier(0)),
        ("NSDefaultValue", attribute.defaultValue.map(item) ?? .identifier(0)),
        ("$class", self.class("NSAttributeDescription")),
      ]
      if !attribute.parts.isEmpty {
        fields.append(("NSCompositeElements", array(attribute.parts.map { object($0, of: entity, entities, []) })))
      }
      if let derivation = attribute.derivation {
        fields.append(("NSDerivationExpression", add(.dictionary([("NSKeyPath", text(derivation))]))))
      }
    case .relationship(let relationship):
      fields += [
        ("_NSDestinationEntityName", text(relationship.destination)),
        ("NSDestinationEntity", entities[relationship.destination] ?? .identifier(0)),
        ("_NSInverseRelationshipName", relationship.inverse.map(text) ?? .identifier(0)),
        ("NSDeleteRule", .integer(relationship.deleteRule.rawValue)),
        ("NSMaxCount", .integer(relationship.isToMany ? 0 : 1)), ("$class", self.class("NSRelationshipDescription")),
      ]
      if relationship.isOrdered { fields.append(("NSIsOrdered", .bool(true))) }
    case .other(let name): fields.append(("$class", self.class(name)))
    }
    return add(.dictionary(replaced(fields, changes)))
  }

  private func replaced(_ fields: [(String, Item)], _ changes: [(String, Item)]) -> [(String, Item)] {
    fields.filter { field in !changes.contains { $0.0 == field.0 } } + changes
  }

  private func item(_ value: BinaryPropertyList.Value) -> Item {
    switch value {
    case .bool(let flag): add(.bool(flag))
    case .integer(let integer): add(.integer(Int(integer)))
    case .real(let real): add(.real(real))
    case .text(let text): add(.text(text))
    default: .identifier(0)
    }
  }

  private func add(_ object: Item) -> Item {
    objects.append(object)
    return .identifier(objects.count - 1)
  }

  private func text(_ text: String) -> Item { add(.text(text)) }
  private func array(_ items: [Item]) -> Item { add(.dictionary([("NS.objects", .array(items))])) }
  private func dictionary(_ entries: [(String, Item)]) -> Item {
    add(.dictionary([("NS.keys", .array(entries.map { text($0.0) })), ("NS.objects", .array(entries.map(\.1)))]))
  }

  private func `class`(_ name: String) -> Item {
    if let known = classes[name] { return known }
    let names = add(
      .dictionary([("$classname", .text(name)), ("$classes", .array([.text(name), .text("NSObject")]))]))
    classes[name] = names
    return names
  }

  // MARK: Bytes

  /// A binary property list.
  static func list(_ item: Item) -> [UInt8] {
    var (bytes, offsets) = (Array("bplist00".utf8), [Int]())
    func big(_ value: Int, _ width: Int) -> [UInt8] {
      (0..<width).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    func head(_ kind: UInt8, _ count: Int) -> [UInt8] {
      count < 15 ? [kind << 4 | UInt8(count)] : [kind << 4 | 15, 0x12] + big(count, 4)
    }
    /// Appends an item after those that it refers to, and returns its index.
    func write(_ item: Item) -> Int {
      var content: [UInt8]
      switch item {
      case .bool(let flag): content = [flag ? 9 : 8]
      case .integer(let integer): content = [0x13] + big(integer, 8)
      case .real(let real): content = [0x23] + big(Int(bitPattern: UInt(real.bitPattern)), 8)
      case .text(let text) where text.utf8.allSatisfy { $0 < 128 }:
        content = head(5, text.utf8.count) + Array(text.utf8)
      case .text(let text): content = head(6, text.utf16.count) + text.utf16.flatMap { big(Int($0), 2) }
      case .identifier(let number): content = [0x81] + big(number, 2)
      case .array(let items):
        let references = items.map(write)
        content = head(10, items.count) + references.flatMap { big($0, 4) }
      case .dictionary(let entries):
        let (keys, values) = (entries.map { write(.text($0.0)) }, entries.map { write($0.1) })
        content = head(13, entries.count) + (keys + values).flatMap { big($0, 4) }
      }
      offsets.append(bytes.count)
      bytes += content
      return offsets.count - 1
    }
    let top = write(item)
    let table = bytes.count
    bytes += offsets.flatMap { big($0, 4) }
    return bytes + [0, 0, 0, 0, 0, 0, 4, 4] + big(offsets.count, 8) + big(top, 8) + big(table, 8)
  }

  /// A raw deflate stream.
  static func deflated(_ content: [UInt8]) -> [UInt8] {
    var (input, state) = (content, z_stream())
    guard
      deflateInit2_(
        &state, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
        Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { return [] }
    defer { deflateEnd(&state) }
    var output = [UInt8](repeating: 0, count: Int(deflateBound(&state, UInt(input.count))))
    input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        (state.next_in, state.avail_in) = (input.baseAddress, UInt32(input.count))
        (state.next_out, state.avail_out) = (output.baseAddress, UInt32(output.count))
        _ = deflate(&state, Z_FINISH)
      }
    }
    return Array(output.prefix(Int(state.total_out)))
  }
}
