import Testing

@Suite("@Record")
struct RecordExpansionTests {
  @Test("expands to fields, codings, key, table, indexes and the conformance")
  func wholeRecord() {
    expectExpansion(
      of: #"""
        @Record(indexes: [.unique(on: \.name)])
        public struct Tag {
          public var id: UUID
          var name: String
        }
        """#,
      #"""
      public struct Tag {
        public var id: UUID
        var name: String

        nonisolated public struct Fields: Sanderling._RecordFields {
          public typealias Owner = Tag
          public let _scope: Sanderling._Scope
          public init(_scope: Sanderling._Scope) { self._scope = _scope }
          public var id: Sanderling.Field<UUID> { _scope.column(0, of: Tag.self, as: Tag._Codings.id.self) }
          var name: Sanderling.Field<String> { _scope.column(1, of: Tag.self, as: Tag._Codings.name.self) }
        }

        nonisolated public enum _Codings {
          public typealias id = UUID
          typealias name = String
        }

        public typealias Key = UUID

        nonisolated public static let table = Sanderling.RecordTable(
          Tag.self, name: "tag",
          columns: [
            .init("id", as: _Codings.id.self),
            .init("name", as: _Codings.name.self),
          ],
          key: ["id"],
          assignsKey: false,
          references: [],
          indexes: indexes.map { $0.definition })

        nonisolated public static let indexes: [Sanderling.Index<Tag>] = [
          .unique(on: .ascending(\.name)),
        ]
      }

      nonisolated extension Tag: Sanderling.StoredRecord, Swift.Identifiable {
        @inline(__always)
        public init(_reading row: Sanderling.ResultRow) throws {
          let value0 = try row.value(at: 0, as: _Codings.id.self)
          let value1 = try row.value(at: 1, as: _Codings.name.self)
          self.init(id: value0, name: value1)
        }
        public init(_values values: Sanderling._StorageValues) throws {
          self.id = try values.value(at: 0, as: _Codings.id.self)
          self.name = try values.value(at: 1, as: _Codings.name.self)
        }
        public func _bind(to parameters: Sanderling.ParameterBinder) throws {
          try parameters.bind(self.id, at: 1, as: _Codings.id.self)
          try parameters.bind(self.name, at: 2, as: _Codings.name.self)
        }
        public func _storageValue(at index: Swift.Int) throws -> Sanderling.StorageValue {
          switch index {
          case 0: return try Sanderling.StorageValue(self.id, as: _Codings.id.self)
          case 1: return try Sanderling.StorageValue(self.name, as: _Codings.name.self)
          default: Swift.preconditionFailure("no column at index \(index)")
          }
        }
        public var key: Key { get throws { self.id } }
        public static func _key(_values values: Sanderling._StorageValues) throws -> Key {
          try values.value(at: 0, as: _Codings.id.self)
        }
        public static func _bind(key: Key, to parameters: Sanderling.ParameterBinder, from index: Swift.Int32) throws {
          try parameters.bind(key, at: index, as: _Codings.id.self)
        }
        public static var _keyPaths: [Swift.PartialKeyPath<Self>] { [\Self.id, \Self.name] }
      }
      """#)
  }

  @Test("names the table after the type unless told otherwise")
  func tableName() {
    expectExpansion(of: "@Record struct TodoTask { var id: UUID }", contains: #"TodoTask.self, name: "todoTask","#)
    expectExpansion(
      of: #"@Record("tasks") struct TodoTask { var id: UUID }"#, contains: #"TodoTask.self, name: "tasks","#)
  }

  @Test("stores stored properties only")
  func storedProperties() {
    let source = """
      @Record
      struct TodoTask {
        let id: UUID
        var a: Int, b: Double
        var c, d: String
        var title: String { didSet { print(title) } }
        var isLong: Bool { title.count > 80 }
        static let limit: Int = 80
        func rename() {}
      }
      """
    expectExpansion(
      of: source,
      contains: """
        nonisolated enum _Codings {
        typealias id = UUID
        typealias a = Int
        typealias b = Double
        typealias c = String
        typealias d = String
        typealias title = String
        }
        """)
  }

  @Test("takes the type of a property from a literal")
  func literalTypes() {
    expectExpansion(
      of: """
        @Record
        struct Settings {
          var id = 1
          var isLoud = false
          var volume = -0.5
          var name = "none"
        }
        """,
      contains: """
        typealias id = Int
        typealias isLoud = Bool
        typealias volume = Double
        typealias name = String
        """)
  }

  @Test("gives a member the access level of its property, but no more than the record's")
  func accessLevels() {
    expectExpansion(
      of: """
        @Record
        struct Account {
          public var id: UUID
          private var secret: String
          private(set) var name: String
        }
        """,
      contains: """
        typealias id = UUID
        fileprivate typealias secret = String
        typealias name = String
        """)
    expectExpansion(
      of: "private struct Outer {} \n @Record private struct Account { var id: UUID }",
      contains: "fileprivate typealias Key = UUID")
    expectExpansion(
      of: "public extension Outer { @Record struct Account { public var id: UUID } }",
      contains: "public typealias Key = UUID")
  }

  @Test("declares no conformance to Identifiable without a key, or an 'id', that all users of the record see")
  func notIdentifiable() {
    for source in [
      "@Record public struct Tag { var id: UUID }", "@Record public struct Tag { @PrimaryKey var name: String }",
      "@Record struct Tag { @PrimaryKey var name: String; var id: Int { 1 } }",
    ] {
      expectExpansion(of: source, contains: "nonisolated extension Tag: Sanderling.StoredRecord {")
    }
  }

  @Test("identifies a record whose key has another name by its key")
  func identifiableByKey() {
    let conformance = "nonisolated extension Tag: Sanderling.StoredRecord, Swift.Identifiable {"
    for (source, id) in [
      ("@PrimaryKey var name: String", "var id: Key { self.name }"),
      ("@PrimaryKey var number: Int64?", "var id: Key? { self.number }"),
      ("@PrimaryKey var a: Int; @PrimaryKey var b: Int", "var id: Key { Key(self.a, self.b) }"),
    ] {
      expectExpansion(of: "@Record struct Tag { \(source) }", contains: conformance)
      expectExpansion(of: "@Record struct Tag { \(source) }", contains: id)
    }
    expectExpansion(
      of: "@Record public struct Tag { @PrimaryKey public var name: String }",
      contains: "public var id: Key { self.name }")
  }

  @Test("keeps backticks in Swift and out of SQL")
  func backticks() {
    let source = "@Record struct Tag { var id: UUID; var `default`: Int }"
    expectExpansion(of: source, contains: "typealias `default` = Int")
    expectExpansion(of: source, contains: #".init("default", as: _Codings.`default`.self),"#)
    expectExpansion(of: source, contains: "let value1 = try row.value(at: 1, as: _Codings.`default`.self)")
  }

  @Test("spells 'Self' out where it would mean a generated type")
  func selfType() {
    expectExpansion(
      of: "@Record struct Node { var id: UUID; @Stored(as: .json) var children: [Self] }",
      contains: """
        #sourceLocation(file: "test.swift", line: 1)
        typealias children = Sanderling.JSONCoding<[Node]>
        #sourceLocation()
        """)
  }

  @Test("keeps a user's type 'Owner' apart from the typealias in the fields")
  func typeNamedOwner() {
    let source = #"""
      @Record
      struct Car {
        var id: UUID
        var ownerID: UUID
        static let owner = belongsTo(Owner.self, by: \.ownerID)
      }
      """#
    expectExpansion(of: source, contains: "var owner: _Codings._Owner.Fields { _scope.toOne(Car.owner) }")
    expectExpansion(of: source, contains: "typealias _Owner = Owner")
    expectExpansion(of: "@Record struct Owner { var id: UUID }", contains: "typealias Owner = _Codings._Owner")
  }
}
