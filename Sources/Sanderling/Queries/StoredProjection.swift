/// A struct with only the columns and aggregates of a record that a screen needs.
///
/// Conform by marking a struct with ``Projection(of:)``. Each stored property has the value of the source's column of
/// its name, or of the field in the struct's static property of that name:
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

/// The fields of a projection, with the fields of its source.
public protocol _ProjectionFields: SelectionPart where _Selected == Owner {
  associatedtype Owner: StoredProjection
  var _source: Owner.Source.Fields { get }
  init(_source: Owner.Source.Fields)
}

extension StoredProjection {
  /// Declares the field of a property of the projection: an aggregate, a traversal, or any other field.
  public static func aggregate<Value>(_ value: (Source.Fields) -> Field<Value>) -> Field<Value> {
    Nesting.atRoot { value(Source.fields) }
  }

  /// Declares the source of a projection's property: the record that an association leads to, or a projection of it.
  ///
  /// ```swift
  /// @Projection(of: TodoTask.self)
  /// struct TaskRow {
  ///   var title: String
  ///   var project: ProjectName
  ///   static let project = nested(ProjectName.self) { $0.project }
  /// }
  /// ```
  public static func nested<Part: Selectable>(
    _ part: Part.Type, _ record: (Source.Fields) -> Part.Source.Fields
  ) -> SelectedFields<Part> {
    SelectedFields(part, in: Nesting.atRoot { record(Source.fields) }._scope)
  }

  /// Declares the source of a projection's property: the record that an association may lead to, or a projection of it.
  /// The property is nil if there is no record.
  public static func nested<Part: Selectable>(
    _ part: Part.Type, _ record: (Source.Fields) -> OptionalFields<Part.Source>
  ) -> SelectedFields<Part?> {
    SelectedFields(part, ifExists: Nesting.atRoot { record(Source.fields) })
  }

  public static var fields: Fields { Fields(_source: Source.fields) }
}
