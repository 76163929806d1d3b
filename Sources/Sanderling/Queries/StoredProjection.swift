/// A struct with only the columns and aggregates of a record that a screen needs.
///
/// Conform by marking a struct with ``Projection(of:)``. Each stored property is the source's column of its name, or what
/// the struct's own static of that name says:
///
/// ```swift
/// @Projection(of: Project.self)
/// struct ProjectSummary {
///   var name: String
///   var openTasks: Int
///   static let openTasks = aggregate { $0.tasks.filter { !$0.isCompleted }.count }
/// }
/// ```
public protocol StoredProjection: Selectable where Fields: _ProjectionFields, Fields.Owner == Self {}

/// The fields of a projection and, through it, those of its source.
public protocol _ProjectionFields: Sendable {
  associatedtype Owner: StoredProjection
  init(_source: Owner.Source.Fields)
}

extension StoredProjection {
  /// Declares what a property of the projection reads: an aggregate, a traversal, or any other field.
  public static func aggregate<Value>(_ value: (Source.Fields) -> Field<Value>) -> Field<Value> {
    Nesting.atRoot { value(Source.fields) }
  }

  public static var fields: Fields { Fields(_source: Source.fields) }
}
