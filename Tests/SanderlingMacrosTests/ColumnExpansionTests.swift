import Testing

@Suite("Columns")
struct ColumnExpansionTests {
  @Test("The attribute chooses the coding")
  func codings() {
    expectExpansion(
      of: """
        @Record
        struct Event {
          @Stored(as: .uuidText) var id: UUID
          @Stored(as: .lowercaseUUIDText) var parentID: UUID?
          @Stored(as: .dateText) var start: Date
          @Stored(as: .iso8601) var end: Date?
          @Stored(as: .unixSeconds) var created: Foundation.Date
          @Stored(as: .unixMilliseconds) var changed: Optional<Date>
          @Stored(as: .decimalNumber) var price: Decimal
        }
        """,
      contains: """
        typealias id = Sanderling.UUIDTextCoding
        typealias parentID = Sanderling.OptionalCoding<Sanderling.LowercaseUUIDTextCoding>
        typealias start = Sanderling.DateTextCoding
        typealias end = Sanderling.OptionalCoding<Sanderling.ISO8601Coding>
        typealias created = Sanderling.UnixSecondsCoding
        typealias changed = Sanderling.OptionalCoding<Sanderling.UnixMillisecondsCoding>
        typealias price = Sanderling.DecimalNumberCoding
        """)
  }

  @Test("The compiler reports what only it can check at the property's line")
  func checkedCodings() {
    let source = """
      @Record
      struct Event {
        var id: UUID
        var color: Color
        var accent: Color?
        @Stored(as: .dateText) var start: Instant
        @Stored(as: Cents.self) var price: Decimal?
        @Stored(as: .json)
        var tags: [String]?
      }
      """
    expectExpansion(
      of: source,
      contains: """
        typealias id = UUID
        #sourceLocation(file: "test.swift", line: 4)
        typealias color = Sanderling._OwnCoding<Color>; private static func _color() { Sanderling._storable(Color.self) }
        #sourceLocation()
        #sourceLocation(file: "test.swift", line: 5)
        typealias accent = Swift.Optional<Sanderling._OwnCoding<Color>>; private static func _accent() { Sanderling._storable(Color.self) }
        #sourceLocation()
        #sourceLocation(file: "test.swift", line: 6)
        typealias start = Sanderling._CheckedCoding<Sanderling.DateTextCoding, Instant>
        #sourceLocation()
        #sourceLocation(file: "test.swift", line: 7)
        typealias price = Sanderling.OptionalCoding<Sanderling._CheckedCoding<Cents, Decimal>>
        #sourceLocation()
        #sourceLocation(file: "test.swift", line: 9)
        typealias tags = Sanderling.OptionalCoding<Sanderling.JSONCoding<[String]>>
        #sourceLocation()
        """)
    expectExpansion(
      of: source,
      contains: """
        var color: Sanderling.Field<Color> { \
        let field = _scope.column(1, of: Event.self, as: Event._Codings.color.self); return field }
        """)
  }

  @Test("A constant initial value is the column's default in SQL")
  func constantDefaults() {
    expectExpansion(
      of: """
        @Record
        struct TodoTask {
          var id: UUID
          var isCompleted = false
          var score = -1
          var title: String = "untitled"
          var dueAt: Date = .distantFuture
          var limit: Int = Limits.Task.standard
          @Stored(as: .json) var tags: [String] = ["new", nil]
        }
        """,
      contains: """
        .init("isCompleted", as: _Codings.isCompleted.self, default: .value(_Codings.isCompleted.self, false)),
        .init("score", as: _Codings.score.self, default: .value(_Codings.score.self, -1)),
        .init("title", as: _Codings.title.self, default: .value(_Codings.title.self, "untitled")),
        .init("dueAt", as: _Codings.dueAt.self, default: .value(_Codings.dueAt.self, .distantFuture)),
        .init("limit", as: _Codings.limit.self, default: .value(_Codings.limit.self, Limits.Task.standard)),
        .init("tags", as: _Codings.tags.self, default: .value(_Codings.tags.self, ["new", nil])),
        """)
  }

  @Test(
    "An initial value that is evaluated each time, or nil, is no default",
    arguments: ["UUID()", ".now", "Date.now", "nil", "makeDate()", "date", #""\(name)""#, "[UUID()]"])
  func variableDefaults(value: String) {
    expectExpansion(
      of: "@Record struct TodoTask { var id: UUID; var other: Thing? = \(value) }", lacks: "default: .value")
  }

  @Test("The attribute names the column, and gives its default and its collation")
  func attributeArguments() {
    expectExpansion(
      of: """
        @Record
        struct User {
          var id: UUID
          @Stored("login_name", collation: .nocase) var login: String = "none"
          @Stored(default: "unixepoch()") var created: Int = 0
          @Stored(as: .iso8601, touch: .onUpdate) var changedAt: Date?
        }
        """,
      contains: #"""
        .init("login_name", property: "login", as: _Codings.login.self, \#
        default: .value(_Codings.login.self, "none"), collation: .nocase),
        .init("created", as: _Codings.created.self, default: .sql("unixepoch()")),
        .init("changedAt", as: _Codings.changedAt.self, touch: .onUpdate),
        """#)
  }

  @Test("References become foreign keys")
  func references() {
    expectExpansion(
      of: """
        @Record
        struct TodoTask {
          var id: UUID
          @References(Project.self, onDelete: .cascade) var projectID: UUID
          @Stored("assignee") @References(User.self, onUpdate: .cascade) var assigneeID: UUID?
          @References(TodoTask.self) var parentID: TodoTask.ID?
        }
        """,
      contains: """
        references: [
        .init("projectID", to: Project.self, onDelete: .cascade),
        .init("assigneeID", to: User.self, onUpdate: .cascade),
        .init("parentID", to: TodoTask.self),
        ],
        """)
  }

  @Test("An initial value can name the type of its property")
  func inferredTypes() {
    let source = """
      @Record
      struct Job {
        var id = UUID()
        var status = Status.open
        var kind = Outer.Kind(1)
        var made = Date.now
        var token = UUID.init()
        @Stored(as: .json) var tags = [Tag]()
        @Stored(as: .json) var names = Set<String>()
      }
      """
    let types = ["UUID", "Status", "Outer.Kind", "Date", "UUID", "[Tag]", "Set<String>"]
    for (number, (name, type)) in zip(["id", "status", "kind", "made", "token", "tags", "names"], types).enumerated() {
      let field = "_scope.column(\(number), of: Job.self, as: Job._Codings.\(name).self)"
      let isChecked = !["UUID", "Date"].contains(type)
      let value = isChecked ? "let field = \(field); return field" : field
      expectExpansion(of: source, contains: "var \(name): Sanderling.Field<\(type)> { \(value) }")
    }
    expectExpansion(
      of: source,
      contains: #".init("status", as: _Codings.status.self, default: .value(_Codings.status.self, Status.open)),"#)
    expectExpansion(
      of: source, contains: #".init("tags", as: _Codings.tags.self, default: .value(_Codings.tags.self, [Tag]())),"#)
  }
}
