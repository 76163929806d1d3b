public import Foundation

extension Condition {
  /// Creates a condition from a predicate of Foundation, so that it can be combined with others.
  ///
  /// ```swift
  /// let byTitle = Condition(#Predicate<TodoTask> { $0.title.contains(input) })
  /// ```
  ///
  /// The predicate is translated here. If a part of it has no equivalent in SQL, running a query with the condition
  /// throws ``StoreError/invalidQuery(_:)``, which names the part. <doc:Predicates> lists the supported parts.
  public init(_ predicate: Predicate<Owner>) {
    self.init(term: PredicateTranslation.term(of: predicate))
  }

  /// Creates a condition from a predicate format of Core Data or Realm.
  ///
  /// ```swift
  /// let byProject = try Condition<TodoTask>(format: "project.name == %@ AND isCompleted == NO", name)
  /// ```
  ///
  /// Arguments are bound as parameters, never inserted into the text. <doc:Predicates> describes the language.
  ///
  /// - Parameters:
  ///   - format: The format. Its names are those of properties and associations.
  ///   - arguments: The values of `%@`, `%d` and the like, and the names for `%K`, in order.
  /// - Throws: ``PredicateFormatError`` with the place of the mistake.
  public init(format: String, _ arguments: Any?...) throws {
    try self.init(format: format, arguments: arguments)
  }

  /// Creates a condition from a predicate format whose arguments are in an array.
  ///
  /// - Parameter variables: The values of variables such as `$today`, by their names without `$`.
  public init(format: String, arguments: [Any?], variables: [String: Any?] = [:]) throws {
    self.init(term: try PredicateFormatParser.term(of: format, arguments, variables, for: Owner.self))
  }
}

extension Selectable {
  /// The rows that satisfy a predicate of Foundation.
  ///
  /// ```swift
  /// TodoTask.where(#Predicate { !$0.isCompleted && $0.title.contains(input) })
  /// ```
  ///
  /// If a part of the predicate has no equivalent in SQL, running the query throws ``StoreError/invalidQuery(_:)``,
  /// which names the part. <doc:Predicates> lists the supported parts.
  @_disfavoredOverload
  public static func `where`(_ predicate: Predicate<Source>) -> Selection<Self, Self> {
    query.where(predicate)
  }

  /// The rows that satisfy a predicate format of Core Data or Realm.
  ///
  /// ```swift
  /// try TodoTask.where(format: "title CONTAINS[cd] %@ AND project.name == %@", arguments: [input, name])
  /// ```
  ///
  /// The arguments are an array, and not optional: beside another parameter without an argument, the compiler reports
  /// no mistakes in the closures of the other `where`s. Parameters and errors as of ``Condition/init(format:_:)``.
  public static func `where`(format: String, arguments: [Any?]) throws -> Selection<Self, Self> {
    query.where(try Condition(format: format, arguments: arguments))
  }

  /// All rows, ordered by descriptors of Foundation: see ``Selection/order(_:)-([SortDescriptor<Root.Source>])``.
  @_disfavoredOverload
  public static func order(_ descriptors: [SortDescriptor<Source>]) -> Selection<Self, Self> {
    query.order(descriptors)
  }

  /// All rows, ordered by descriptors of Foundation: see ``Selection/order(_:)-([SortDescriptor<Root.Source>])``.
  @_disfavoredOverload
  public static func order(
    _ first: SortDescriptor<Source>, _ others: SortDescriptor<Source>...
  ) -> Selection<Self, Self> {
    query.order([first] + others)
  }
}

extension Selection {
  /// Keeps the rows that also satisfy a predicate of Foundation: see ``Selectable/where(_:)-(Predicate<Self.Source>)``.
  @_disfavoredOverload
  public func `where`(_ predicate: Predicate<Root.Source>) -> Selection {
    filter(Condition(predicate))
  }

  /// Keeps the rows that also satisfy a predicate of Foundation: see ``Selectable/where(_:)-(Predicate<Self.Source>)``.
  @_disfavoredOverload
  public func filter(_ predicate: Predicate<Root.Source>) -> Selection {
    filter(Condition(predicate))
  }

  /// Keeps the rows that also satisfy a predicate format: see ``Selectable/where(format:arguments:)``.
  public func `where`(format: String, arguments: [Any?]) throws -> Selection {
    filter(try Condition(format: format, arguments: arguments))
  }

  /// Orders the rows by descriptors of Foundation, the first deciding first. Replaces any earlier ordering.
  ///
  /// ```swift
  /// TodoTask.order([SortDescriptor(\.dueAt, order: .reverse), SortDescriptor(\.title, comparator: .lexical)])
  /// ```
  ///
  /// `nil` comes before all values in ascending order, and texts are ordered by their bytes. The comparator
  /// `.localizedStandard` orders by the text without case and diacritics, and its property must be declared
  /// ``Searchable(_:)``. Otherwise, and for a property that is no column, running the query throws
  /// ``StoreError/invalidQuery(_:)``.
  @_disfavoredOverload
  public func order(_ descriptors: [SortDescriptor<Root.Source>]) -> Selection {
    order(descriptors.map(\.translated))
  }

  /// Orders the rows by descriptors of Foundation, the first deciding first.
  @_disfavoredOverload
  public func order(_ first: SortDescriptor<Root.Source>, _ others: SortDescriptor<Root.Source>...) -> Selection {
    order([first] + others)
  }
}

extension SortDescriptor where Compared: StoredRecord {
  /// The same key in SQL. The term is invalid if SQL has no such order.
  fileprivate var translated: Ordering {
    do {
      return Ordering(term: try term, isDescending: order == .reverse)
    } catch {
      let reason = (error as? PredicateObstacle)?.reason ?? String(describing: error)
      return Ordering(term: .invalid("the sort descriptor can't be translated to SQL: \(reason)"))
    }
  }

  private var term: Term {
    get throws {
      guard let keyPath else { throw PredicateObstacle("it names its property by a text: use a key path") }
      let row = PredicateRow(scope: .root, type: RecordType(Compared.self))
      let value = try Nesting.$depth.withValue(0) { try row.operand(at: keyPath) }.value()
      try value.requireOrder()
      guard let stringComparator, stringComparator != .lexical else { return value.term }
      return try isLocalizedStandard(stringComparator) ? value.folded().term : refused(stringComparator)
    }
  }

  private func refused(_ comparator: String.StandardComparator) throws -> Term {
    throw PredicateObstacle("it orders texts by the rules of a language: use the comparator .lexical")
  }

  private func isLocalizedStandard(_ comparator: String.StandardComparator) -> Bool {
    #if canImport(Darwin)
      comparator == .localizedStandard
    #else
      false
    #endif
  }
}
