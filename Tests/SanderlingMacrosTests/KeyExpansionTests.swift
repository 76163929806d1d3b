import Testing

@Suite("Keys")
struct KeyExpansionTests {
  @Test("A key of type Int64? is assigned by SQLite, and optional only in the record")
  func assignedKey() {
    let source = """
      @Record
      struct Comment {
        var id: Int64?
      }
      """
    expectExpansion(
      of: source,
      contains: """
        var id: Sanderling.Field<Swift.Int64> { \
        _scope.column(0, of: Comment.self, as: Comment._Codings.id.self) }
        """)
    expectExpansion(of: source, contains: "typealias id = Swift.Int64")
    expectExpansion(of: source, contains: "typealias Key = Swift.Int64")
    expectExpansion(of: source, contains: "assignsKey: true,")
    expectExpansion(of: source, contains: "let value0 = try row.value(at: 0, as: Swift.Optional<Swift.Int64>.self)")
    expectExpansion(of: source, contains: "self.id = try values.value(at: 0, as: Swift.Optional<Swift.Int64>.self)")
    expectExpansion(of: source, contains: "try parameters.bind(self.id, at: 1, as: Swift.Optional<Swift.Int64>.self)")
    expectExpansion(
      of: source,
      contains: "case 0: return try Sanderling.StorageValue(self.id, as: Swift.Optional<Swift.Int64>.self)")
    expectExpansion(
      of: source,
      contains: """
        var key: Key { get throws { try Self._assigned(self.id) } }
        static func _key(_values values: Sanderling._StorageValues) throws -> Key {
        try values.value(at: 0, as: _Codings.id.self)
        }
        static func _bind(key: Key, to parameters: Sanderling.ParameterBinder, from index: Swift.Int32) throws {
        try parameters.bind(key, at: index, as: _Codings.id.self)
        }
        """)
  }

  @Test("Several marked properties form a composite key")
  func compositeKey() {
    let source = """
      @Record
      struct Tagging {
        @PrimaryKey var taskID: UUID
        @PrimaryKey var tag: String
        var note: String
      }
      """
    expectExpansion(
      of: source,
      contains: """
        nonisolated struct Key: Swift.Hashable, Swift.Sendable {
        var taskID: UUID
        var tag: String
        init(taskID: UUID, tag: String) {
        self.taskID = taskID
        self.tag = tag
        }
        init(_ taskID: UUID, _ tag: String) {
        self.taskID = taskID
        self.tag = tag
        }
        }
        """)
    expectExpansion(of: source, contains: #"key: ["taskID", "tag"],"#)
    expectExpansion(
      of: source,
      contains: """
        var key: Key { get throws { Key(self.taskID, self.tag) } }
        static func _key(_values values: Sanderling._StorageValues) throws -> Key {
        try Key(values.value(at: 0, as: _Codings.taskID.self), values.value(at: 1, as: _Codings.tag.self))
        }
        static func _bind(key: Key, to parameters: Sanderling.ParameterBinder, from index: Swift.Int32) throws {
        try parameters.bind(key.taskID, at: index, as: _Codings.taskID.self)
        try parameters.bind(key.tag, at: index + 1, as: _Codings.tag.self)
        }
        """)
  }

  @Test("A marked property is the key, even beside a property 'id'")
  func markedKey() {
    let source = """
      @Record
      struct Country {
        var id: Int
        @PrimaryKey @Stored("iso_code") var code: String
      }
      """
    expectExpansion(of: source, contains: "typealias Key = String")
    expectExpansion(of: source, contains: #"key: ["code"],"#)
    expectExpansion(of: source, contains: "var key: Key { get throws { self.code } }")
  }

  @Test("A key property named 'key' is the record's key itself")
  func propertyNamedKey() {
    let source = """
      @Record
      struct Setting {
        @PrimaryKey var key: String
        var value: String
      }
      """
    expectExpansion(of: source, contains: "typealias Key = String")
    expectExpansion(of: source, lacks: "var key: Key")
  }
}
