#if canImport(SwiftUI)
  public import Sanderling
  public import SwiftUI

  /// The sections of a query, for a view or a model.
  ///
  /// ```swift
  /// struct TasksByProject: View {
  ///   @FollowedSections(TodoTask.order { $0.title }.sectioned { $0.project.name }) private var sections
  ///
  ///   var body: some View {
  ///     List {
  ///       ForEach(sections) { section in
  ///         Section("\(section.key) (\(section.count))") { ForEach(section.rows) { Text($0.title) } }
  ///       }
  ///     }
  ///   }
  /// }
  /// ```
  ///
  /// Otherwise the same as ``FollowedRows``. The projected value is the list, which opens and closes sections. If the view
  /// gets another query, the former sections stay until the new sections are read, and these begin as `startsOpen` says.
  @MainActor
  @propertyWrapper
  public struct FollowedSections<Key: Sendable, Values: Sendable, Element: Sendable>: DynamicProperty {
    private let source: FollowedSource<LiveSectionedList<Key, Values, Element>>

    /// The sections of a query in the environment's store.
    ///
    /// - Parameters:
    ///   - window: The number of rows that each open section shows at first, at least 1.
    ///   - startsOpen: Whether sections are open that the app has neither opened nor closed.
    ///   - store: The environment value that has the store.
    public init<Root>(
      _ query: SectionedSelection<Root, Key, Values, Element>, window: Int = 100, startsOpen: Bool = true,
      in store: KeyPath<EnvironmentValues, Store?> = \.sanderlingStore
    ) {
      source = FollowedSource(.sections(query, window: window, startsOpen: startsOpen), in: store)
    }

    /// The sections of a query in a model's store.
    public init<Root>(
      _ query: SectionedSelection<Root, Key, Values, Element>, window: Int = 100, startsOpen: Bool = true,
      inModelOf store: Store
    ) {
      source = FollowedSource(.sections(query, window: window, startsOpen: startsOpen), inModelOf: store)
    }

    /// The sections, in order.
    public var wrappedValue: LiveSections<Key, Values, Element> { projectedValue.sections }

    /// The live list that has the sections.
    public var projectedValue: LiveSectionedList<Key, Values, Element> { source.result }
  }
#endif
