import Testing

@Suite("Associations")
struct AssociationExpansionTests {
  @Test("Associations become fields")
  func fields() {
    expectExpansion(
      of: #"""
        @Record
        public struct TodoTask {
          public var id: UUID
          var projectID: UUID
          var parentID: UUID?
          public static let project = belongsTo(Project.self, by: \.projectID)
          static let parent = Self.belongsTo(TodoTask.self, by: \TodoTask.parentID).filter { !$0.isDeleted }
          static let comments = hasMany(Comment.self, by: \.taskID).filter { !$0.isDeleted }
          static let descendants = TodoTask.hasMany(Self.self, by: \.parentID).recursive()
        }
        """#,
      contains: """
        public var project: Project.Fields { _scope.toOne(TodoTask.project) }
        var parent: Sanderling.OptionalFields<TodoTask> { _scope.toOptional(TodoTask.parent) }
        var comments: Sanderling.ToMany<Comment> { _scope.toMany(TodoTask.comments) }
        var descendants: Sanderling.ToMany<TodoTask> { _scope.toMany(TodoTask.descendants) }
        }
        """)
  }

  @Test("Predicate formats find associations by their names")
  func names() {
    expectExpansion(
      of: #"""
        @Record
        struct TodoTask {
          var id: UUID
          static let `in` = hasMany(Comment.self, by: \.taskID)
          static let comments = hasMany(Comment.self, by: \.taskID)
        }
        """#,
      contains: #"""
        static var _keyPaths: [Swift.PartialKeyPath<Self>] { [\Self.id] }
        static var _associations: [(Swift.String, Swift.PartialKeyPath<Fields>)] { [("in", \Fields.`in`), ("comments", \Fields.comments)] }
        """#)
  }

  @Test("A to-one association by several columns is optional if one of the columns is")
  func compositeToOne() {
    expectExpansion(
      of: #"""
        @Record
        struct Note {
          var id: UUID
          var taskID: UUID
          var tag: String?
          static let tagging = belongsTo(Tagging.self, by: \.taskID, \.tag)
        }
        """#,
      contains: "var tagging: Sanderling.OptionalFields<Tagging> { _scope.toOptional(Note.tagging) }")
  }

  @Test("A filtered to-one association is optional, whatever its key")
  func filteredToOne() {
    expectExpansion(
      of: #"""
        @Record
        struct Note {
          var id: UUID
          var taskID: UUID
          static let openTask = belongsTo(TodoTask.self, by: \.taskID).filter { !$0.isCompleted }
        }
        """#,
      contains: "var openTask: Sanderling.OptionalFields<TodoTask> { _scope.toOptional(Note.openTask) }")
  }

  @Test("A type annotation makes any static property an association")
  func annotated() {
    expectExpansion(
      of: #"""
        @Record
        struct Project {
          var id: UUID
          var ownerID: UUID
          static var tasks: HasMany<Project, TodoTask> { makeTasks() }
          static let owner: Sanderling.BelongsTo<Project, User> = belongsTo(User.self, by: \.ownerID)
        }
        """#,
      contains: """
        var tasks: Sanderling.ToMany<TodoTask> { _scope.toMany(Project.tasks) }
        var owner: User.Fields { _scope.toOne(Project.owner) }
        """)
  }

  @Test("Other static properties are no associations")
  func otherStatics() {
    expectExpansion(
      of: #"""
        @Record
        struct Project {
          var id: UUID
          static let urgent = Project.where { $0.isUrgent }
          static let tasks = Other.hasMany(TodoTask.self, by: \.projectID)
          static let hasMany = 5
        }
        """#,
      lacks: "_scope.to")
  }
}
