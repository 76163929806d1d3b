/// The objects of a keyed archive, as NSKeyedArchiver writes it.
///
/// Objects refer to each other by number, also in cycles. A caller that follows references limits its own depth.
struct KeyedArchive {
  /// An object of the archive.
  struct Object {
    fileprivate let archive: KeyedArchive
    let value: BinaryPropertyList.Value
  }

  fileprivate let list: BinaryPropertyList
  private let objects: [Int]

  /// - Throws: ``ArchiveError``.
  init(_ bytes: [UInt8]) throws(ArchiveError) {
    list = try BinaryPropertyList(bytes)
    let fields = try Self.fields(of: list.value(at: list.top), list)
    guard case .text("NSKeyedArchiver")? = fields["$archiver"], case .integer(100_000)? = fields["$version"],
      case .array(let objects)? = fields["$objects"]
    else { throw ArchiveError("it is no keyed archive of a known version") }
    self.objects = objects
  }

  /// The object that the archive was made of.
  func root() throws(ArchiveError) -> Object {
    let top = try Self.fields(of: list.value(at: list.top), list)["$top"] ?? .null
    guard let root = try Object(archive: self, value: top).field("root") else {
      throw ArchiveError("its archive is empty")
    }
    return root
  }

  fileprivate static func fields(
    of value: BinaryPropertyList.Value, _ list: BinaryPropertyList
  ) throws(ArchiveError) -> [String: BinaryPropertyList.Value] {
    guard case .dictionary(let entries) = value else {
      throw ArchiveError("its archive has a value in place of an object")
    }
    var fields: [String: BinaryPropertyList.Value] = [:]
    for entry in entries {
      guard case .text(let key) = try list.value(at: entry.key) else {
        throw ArchiveError("its archive has a key that is no text")
      }
      fields[key] = try list.value(at: entry.value)
    }
    return fields
  }

  /// Returns the object that a value stands for; nil for nil.
  fileprivate func object(_ value: BinaryPropertyList.Value) throws(ArchiveError) -> Object? {
    guard case .identifier(let number) = value else { return Object(archive: self, value: value) }
    guard objects.indices.contains(number) else { throw ArchiveError("its archive refers to an object that it lacks") }
    if number == 0 { return nil }
    return Object(archive: self, value: try list.value(at: objects[number]))
  }

  fileprivate func elements(_ value: BinaryPropertyList.Value) throws(ArchiveError) -> [Object] {
    guard case .array(let indices) = value else { throw ArchiveError("its archive has a value in place of an array") }
    var elements: [Object] = []
    for index in indices {
      if let element = try object(list.value(at: index)) { elements.append(element) }
    }
    return elements
  }
}

extension KeyedArchive.Object {
  /// Returns the object in a field; nil if there is none.
  func field(_ name: String) throws(ArchiveError) -> KeyedArchive.Object? {
    guard let value = try KeyedArchive.fields(of: value, archive.list)[name] else { return nil }
    return try archive.object(value)
  }

  /// The text itself; nil for other objects.
  var text: String? {
    if case .text(let text) = value { text } else { nil }
  }

  func text(_ name: String) throws(ArchiveError) -> String? { try field(name)?.text }

  func integer(_ name: String) throws(ArchiveError) -> Int? {
    guard case .integer(let integer)? = try field(name)?.value else { return nil }
    return Int(integer)
  }

  func flag(_ name: String) throws(ArchiveError) -> Bool {
    if case .bool(true)? = try field(name)?.value { true } else { false }
  }

  /// The names of the object's class and its superclasses.
  func classNames() throws(ArchiveError) -> [String] {
    guard case .dictionary = value, let names = try field("$class")?.field("$classes") else { return [] }
    return try archive.elements(names.value).compactMap(\.text)
  }

  /// The elements of an NSArray or NSSet.
  func elements() throws(ArchiveError) -> [KeyedArchive.Object] {
    guard let objects = try field("NS.objects") else {
      throw ArchiveError("its archive has an object in place of an array")
    }
    return try archive.elements(objects.value)
  }

  /// The keys and values of an NSDictionary, also of the kind that Core Data uses for known keys.
  func entries() throws(ArchiveError) -> [(key: String, value: KeyedArchive.Object)] {
    let keys: [KeyedArchive.Object]
    let values: [KeyedArchive.Object]
    if let known = try field("searchMapping")?.field("keys"), let objects = try field("values") {
      (keys, values) = (try known.elements(), try objects.elements())
    } else {
      guard let names = try field("NS.keys") else {
        throw ArchiveError("its archive has an object in place of a dictionary")
      }
      (keys, values) = (try archive.elements(names.value), try elements())
    }
    guard keys.count == values.count else { throw ArchiveError("its archive has a dictionary without some values") }
    return zip(keys, values).compactMap { key, value in key.text.map { ($0, value) } }
  }
}
